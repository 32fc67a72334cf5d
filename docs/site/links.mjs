// Follows every link of a built site: to a page, and to a place in it.

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, dirname } from 'node:path'

function filesIn(folder) {
    return readdirSync(folder).flatMap(name => {
        const path = join(folder, name)
        return statSync(path).isDirectory() ? filesIn(path) : [path]
    })
}

const decoded = text => decodeURIComponent(text.replaceAll('&amp;', '&'))

/// As sentences, one for each link that leads nowhere.
export function checkLinks(site) {
    const pages = new Map(filesIn(site).filter(file => file.endsWith('.html')).map(file => [file, readFileSync(file, 'utf8')]))
    const idsOf = new Map([...pages].map(([file, html]) => [file, new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(m => decoded(m[1])))]))
    const faults = []
    for (const [file, html] of pages)
        for (const [, target] of html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)) {
            if (/^(https?:|mailto:)/.test(target)) continue
            const [path, anchor] = target.split('#')
            let to = path === '' ? file : path.startsWith('/') ? join(site, decoded(path)) : join(dirname(file), decoded(path))
            if (path.endsWith('/')) to = join(to, 'index.html')
            const named = existsSync(to) && statSync(to).isFile() ? to : existsSync(`${to}.html`) ? `${to}.html` : undefined
            const name = file.slice(site.length + 1)
            if (!named) faults.push(`${name}: ${target} leads to no page`)
            else if (anchor && idsOf.has(named) && !idsOf.get(named).has(decoded(anchor))) faults.push(`${name}: there is no ${target}`)
        }
    return [...new Set(faults)]
}
