// Pictures and charts as parts of a page, so that they follow its colours and not those of the system.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

function scoped(rules, scope) {
    return rules.replace(/([^{}]+)\{([^{}]*)\}/g, (_, selectors, body) => selectors.split(',')
        .map(s => s.trim()).map(s => s.startsWith('.picture') ? s.replace('.picture', scope) : `${scope} ${s}`)
        .join(', ') + ` { ${body.trim()} }\n`)
}

/// The drawing as HTML; its styles, for this drawing alone, go into `styles` by its name.
export function inlineDrawing(file, words, styles) {
    const name = `drawing-${basename(file, '.svg')}`
    let drawing = readFileSync(file, 'utf8')
    const style = drawing.match(/<style>([\s\S]*?)<\/style>/)
    if (style) {
        const dark = style[1].match(/@media \(prefers-color-scheme: dark\)\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}/)
        const light = dark ? style[1].replace(dark[0], '') : style[1]
        styles.set(name, scoped(light, `.${name}`) + (dark ? scoped(dark[1], `.dark .${name}`) : ''))
        drawing = drawing.replace(style[0], '')
    }
    drawing = drawing.replace(/<svg([^>]*)>/, (all, attributes) => /class="/.test(attributes)
        ? all.replace(/class="/, `class="drawing ${name} `) : `<svg class="drawing ${name}"${attributes}>`)
    const label = words.replace(/"/g, '&quot;')
    return `<figure v-pre aria-label="${label}">${drawing.replace(/\n\s*/g, ' ').trim()}</figure>`
}
