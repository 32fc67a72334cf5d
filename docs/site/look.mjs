// Looks at every page of a built site in Chromium, as a telephone and a desk have it, light and dark: nothing fails, nothing is wider
// than the screen, pictures are there, the search finds something. Writes a screenshot of each.
//   node look.mjs SITE FOLDER-FOR-SCREENSHOTS

import { createServer } from 'node:http'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { chromium } from 'playwright-core'

const [site, shots] = process.argv.slice(2)
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.woff2': 'font/woff2' }
const pagesIn = folder => readdirSync(folder).flatMap(name => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? pagesIn(path) : name.endsWith('.html') && name !== '404.html' ? [relative(site, path)] : []
})

const server = createServer((request, response) => {
    let path = join(site, decodeURIComponent(new URL(request.url, 'http://localhost').pathname))
    if (path.endsWith('/')) path = join(path, 'index.html')
    if (!existsSync(path)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path))
})
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${server.address().port}/`

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] })
const faults = []
mkdirSync(shots, { recursive: true })
for (const [device, viewport] of [['desk', { width: 1280, height: 900 }], ['telephone', { width: 390, height: 844 }]])
    for (const colorScheme of ['light', 'dark']) {
        const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
        const page = await context.newPage()
        let at = ''
        page.on('console', message => message.type() === 'error' && faults.push(`${at}: ${message.text()}`))
        page.on('pageerror', error => faults.push(`${at}: ${error.message}`))
        for (const name of pagesIn(site)) {
            at = `${name} (${device}, ${colorScheme})`
            await page.goto(base + name, { waitUntil: 'networkidle' })
            const seen = await page.evaluate(() => ({
                width: document.documentElement.scrollWidth, screen: window.innerWidth,
                isDark: document.documentElement.classList.contains('dark'),
                title: document.querySelector('h1')?.innerText ?? '',
                broken: [...document.images].filter(image => !image.complete || image.naturalWidth === 0).map(image => image.src),
                flat: [...document.querySelectorAll('svg.drawing')].filter(drawing => drawing.getBoundingClientRect().height < 50).length,
            }))
            if (seen.width > seen.screen) faults.push(`${at}: is ${seen.width} px wide on a screen of ${seen.screen}`)
            if (seen.isDark !== (colorScheme === 'dark')) faults.push(`${at}: has the wrong colours`)
            if (!seen.title) faults.push(`${at}: has no title`)
            if (seen.broken.length || seen.flat) faults.push(`${at}: pictures are missing`)
            await page.screenshot({ path: join(shots, `${name.replaceAll('/', '-').replace('.html', '')}-${device}-${colorScheme}.png`), fullPage: false })
        }
        at = `search (${device}, ${colorScheme})`
        await page.goto(base, { waitUntil: 'networkidle' })
        await page.keyboard.press('Control+k')
        await page.locator('#localsearch-input').fill('fencing token')
        await page.locator('.result').first().waitFor({ timeout: 15000 }).catch(() => faults.push(`${at}: finds nothing`))
        await page.screenshot({ path: join(shots, `search-${device}-${colorScheme}.png`) })
        await context.close()
    }
await browser.close()
server.close()
for (const fault of faults) console.error(fault)
console.log(`${pagesIn(site).length} pages, ${faults.length} faults; screenshots are in ${shots}`)
process.exitCode = faults.length ? 1 : 0
