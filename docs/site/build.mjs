// Makes the site: pages of the repository's documents and of its headers, then VitePress, then every link is followed.
//   node build.mjs REPOSITORY XML-OF-DOXYGEN WORK-FOLDER OUTPUT-FOLDER VERSION

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vitepress'
import { checkLinks } from './links.mjs'
import { writePages } from './pages.mjs'
import { writeReference } from './reference.mjs'

const [repository, xml, work, output, version] = process.argv.slice(2)
const stage = join(work, 'pages')
rmSync(stage, { recursive: true, force: true })
mkdirSync(join(stage, '.vitepress/theme'), { recursive: true })
const { guide, examples, styles } = writePages(repository, stage)
const reference = writeReference(xml, join(stage, 'reference'))
cpSync(join(repository, 'docs/site/theme'), join(stage, '.vitepress/theme'), { recursive: true })
cpSync(join(repository, 'docs/site/config.mjs'), join(stage, '.vitepress/config.mjs'))
writeFileSync(join(stage, '.vitepress/theme/drawings.css'), styles)
writeFileSync(join(stage, '.vitepress/navigation.json'), JSON.stringify({ guide, examples, reference, output, version }))
await build(stage)
const faults = checkLinks(output)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exit(1)
console.log(`The site is in ${output}; all its links lead somewhere.`)
