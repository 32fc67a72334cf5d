import DefaultTheme from 'vitepress/theme'
import './style.css'
import './drawings.css'

export default DefaultTheme
