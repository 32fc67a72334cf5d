import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const { guide, examples, reference, output, version } = JSON.parse(readFileSync(new URL('./navigation.json', import.meta.url)))

const inside = [
    { text: 'What is promised', link: '/inside/guarantees' },
    { text: 'Design', link: '/inside/design' },
    { text: 'Handing a key over', link: '/inside/handover' },
    { text: 'Fencing, with a proof', link: '/inside/fencing' },
    { text: 'The command', link: '/inside/command' },
    { text: 'The simulation', link: '/inside/simulation' },
    { text: 'Traps of compilers and Asio', link: '/inside/traps' },
    { text: 'Beside other locks', link: '/inside/peers' },
    { text: 'Contributing', link: '/inside/contributing' },
    { text: 'Changes', link: '/inside/changelog' },
]
const groups = reference.map(({ title, items }) => ({ text: title, items }))

export default defineConfig({
    title: 'asio-redlock',
    description: 'Distributed locks for C++20 and Boost.Asio',
    outDir: output,
    cacheDir: '../cache',
    cleanUrls: false,
    head: [['link', { rel: 'icon', href: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="6" y="14" width="20" height="14" rx="4" fill="%232f5fd0"/><path d="M10 14v-4a6 6 0 0 1 12 0v4" fill="none" stroke="%232f5fd0" stroke-width="3"/></svg>' }]],
    markdown: { theme: { light: 'github-light', dark: 'github-dark' }, lineNumbers: false },
    themeConfig: {
        nav: [
            { text: 'Guide', link: '/guide/', activeMatch: '/guide/' },
            { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
            { text: 'Examples', link: '/examples/', activeMatch: '/examples/' },
            { text: 'Inside', link: '/inside/design', activeMatch: '/inside/' },
            { text: version, link: '/inside/changelog' },
        ],
        sidebar: {
            '/guide/': guide,
            '/reference/': [{ text: 'Reference', link: '/reference/' }, ...groups],
            '/examples/': [{ text: 'Examples', link: '/examples/', items: examples }],
            '/inside/': [{ text: 'Inside', items: inside }],
        },
        outline: { level: [2, 3], label: 'On this page' },
        search: { provider: 'local' },
        docFooter: { prev: 'Before', next: 'Next' },
        darkModeSwitchLabel: 'Colours',
    },
})
