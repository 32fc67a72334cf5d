// Which files of the repository become pages, where they stand in the site, and what is different there: links, pictures,
// comments that are for tests.

import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { inlineDrawing } from './drawings.mjs'

const inside = { 'CONTRIBUTING.md': 'contributing', 'CHANGELOG.md': 'changelog', 'test/sim/README.md': 'simulation',
    'bench/peers/README.md': 'peers' }

/// The address of a file of the repository in the site, without an ending; nothing for one that is no page.
function placeOf(file) {
    if (file === 'README.md') return 'index'
    if (file in inside) return `inside/${inside[file]}`
    if (file === 'docs/guide/README.md') return 'guide/index'
    if (/^docs\/guide\/[^/]+\.md$/.test(file)) return `guide/${basename(file, '.md')}`
    if (/^docs\/[^/]+\.md$/.test(file)) return `inside/${basename(file, '.md')}`
    if (file === 'examples') return 'examples/index'
    if (/^examples\/.+\.cpp$/.test(file)) return `examples/${basename(file, '.cpp')}`
    if (existsSync(join(root, file)) && statSync(join(root, file)).isDirectory() && /^examples\//.test(file)) return `examples/${basename(file)}`
    return undefined
}

let root = '' // of the repository

function linkFrom(file, target) {
    if (/^[a-z]+:/.test(target)) return target
    const [path, anchor] = target.split('#')
    if (!path) return target
    const to = join(dirname(file), path)
    const header = to.match(/^include\/redlock\/(.+)\.hpp$/)
    if (header) return `/reference/${header[1].replaceAll('_', '-')}`
    if (to.endsWith('.json')) return `/${basename(to)}`
    const place = placeOf(to)
    if (!place) throw new Error(`${file}: what the link ${target} leads to is no page of the site`)
    return `/${place.replace(/(^|\/)index$/, '$1')}${anchor ? `#${anchor}` : ''}`
}

function outsideOfCode(text, change) {
    return text.split(/(^```[\s\S]*?^```$)/m).map((part, i) => i % 2 ? part : change(part)).join('')
}

function pageOf(file, styles) {
    const text = readFileSync(join(root, file), 'utf8').replace(/^<!-- meanwhile: .* -->\n/gm, '').replace(/^```conf$/gm, '```ini')
    return outsideOfCode(text, part => part
        .replace(/^!\[([^\]]*)\]\(([^)]+\.svg)\)$/gm, (_, words, path) => inlineDrawing(join(root, dirname(file), path), words, styles))
        .replace(/(?<!!)\]\(([^)\s]+)\)/g, (_, target) => `](${linkFrom(file, target)})`)
        // Of angle brackets and braces outside of code Vue would make something else.
        .replace(/(`[^`\n]+`)|\{\{/g, (all, code) => code ?? '&#123;&#123;'))
}

function write(stage, place, text) {
    const to = join(stage, `${place}.md`)
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, text)
}

/// Each with the comment that it begins with, and its code.
function writeExamples(stage) {
    const rows = []
    for (const entry of readdirSync(join(root, 'examples')).sort()) {
        const path = join(root, 'examples', entry)
        const files = statSync(path).isDirectory() ? readdirSync(path).filter(f => /\.[ch]pp$/.test(f)).map(f => join(path, f))
            : entry.endsWith('.cpp') ? [path] : []
        if (files.length === 0) continue
        const name = basename(entry, '.cpp')
        const main = files.find(f => basename(f) === `${name}.cpp`) ?? files[0]
        const comment = readFileSync(main, 'utf8').match(/^(\/\/.*\n)+/)?.[0].replace(/^\/\/ ?/gm, '').trim() ?? ''
        const words = comment.replace(/[<>]/g, c => ({ '<': '&lt;', '>': '&gt;' })[c])
        const code = [main, ...files.filter(f => f !== main)]
            .map(f => (files.length > 1 ? `## ${relative(join(root, 'examples'), f)}\n\n` : '') + '```cpp\n' + readFileSync(f, 'utf8').replace(/^(\/\/.*\n)+\n?/, '') + '```')
        write(stage, `examples/${name}`, `# ${name}\n\n${words}\n\n${code.join('\n\n')}\n`)
        rows.push([name, words])
    }
    write(stage, 'examples/index', '# Examples\n\nPrograms on the public headers, one idea each.\n\n| | |\n| --- | --- |\n' +
        rows.map(([name, words]) => `| [${name}](./${name}) | ${words.replace(/\n[\s\S]*\n\n[\s\S]*$/m, '').replace(/\n/g, ' ').replace(/\|/g, '\\|')} |`).join('\n') + '\n')
    return rows.map(([name]) => ({ text: name, link: `/examples/${name}` }))
}

/// The parts of the guide, as its first page lists them: { text, items: [{ text, link }] }.
function partsOfGuide() {
    const parts = []
    for (const line of readFileSync(join(root, 'docs/guide/README.md'), 'utf8').split('\n')) {
        const part = line.match(/^## (.+)$/)
        if (part) parts.push({ text: part[1], items: [] })
        const page = line.match(/^(?:\d+\.|-) \[([^\]]+)\]\(([^)#]+\.md)\)/)
        if (page && parts.length) parts.at(-1).items.push({ text: page[1], link: linkFrom('docs/guide/README.md', page[2]) })
    }
    return parts
}

/// Puts all pages into a folder; gives what stands beside them to navigate by, and the styles of their drawings.
export function writePages(repository, stage) {
    root = repository
    const styles = new Map()
    const guide = readdirSync(join(root, 'docs/guide')).map(f => `docs/guide/${f}`)
    const others = readdirSync(join(root, 'docs')).filter(f => f.endsWith('.md')).map(f => `docs/${f}`)
    for (const file of [...guide, ...others, ...Object.keys(inside)]) write(stage, placeOf(file), pageOf(file, styles))
    const home = readFileSync(join(root, 'docs/site/home.md'), 'utf8')
    const readme = pageOf('README.md', styles).replace(/^# .*\n/, '')
    write(stage, 'index', home + readme)
    mkdirSync(join(stage, 'public'), { recursive: true })
    copyFileSync(join(root, 'docs/grafana-dashboard.json'), join(stage, 'public/grafana-dashboard.json'))
    const examples = writeExamples(stage)
    return { guide: partsOfGuide(), examples, styles: [...styles.values()].join('\n') }
}
