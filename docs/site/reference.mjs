// Makes pages of what Doxygen has found in the public headers (its XML): one for each class, one for enumerations, functions
// and constants.

import { readFileSync, readdirSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'

const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '', trimValues: false })

// Of the ordered form: a node is { tag: [children], ':@': attributes }, a text { '#text': '…' }.
const tagOf = node => Object.keys(node).find(key => key !== ':@')
const childrenOf = node => node[tagOf(node)]
const all = (nodes, tag) => nodes.filter(node => tagOf(node) === tag)
const first = (nodes, tag) => nodes.find(node => tagOf(node) === tag)
const attribute = (node, name) => node[':@']?.[name]
const contentOf = (nodes, tag) => { const found = first(nodes, tag); return found ? childrenOf(found) : [] }
const plain = nodes => nodes.map(node => tagOf(node) === '#text' ? String(node['#text']) : plain(childrenOf(node))).join('')
const textIn = (nodes, tag) => plain(contentOf(nodes, tag)).trim()

// What a Markdown page, and Vue behind it, would take for something else.
const escaped = text => text.replace(/[\\`*_[\]|~#]/g, '\\$&').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
    .replace(/\{\{/g, '&#123;&#123;')
const codeOf = text => `<code v-pre>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}</code>`
const anchorOf = name => name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
const signs = { '=': 'assign', '[': 'index', '*': 'value', '-': 'arrow', '(': 'call', '!': 'not' }
// Of a member: the heading of the page has that of the class.
function memberAnchor(name, owner) {
    if (name.startsWith('~')) return 'destructor'
    if (name === owner) return 'constructors'
    const sign = name.match(/^operator\s*([^a-z\s])/)
    return sign ? `operator-${signs[sign[1]] ?? 'sign'}` : anchorOf(name)
}

/// Where each thing of the reference stands, by the id that Doxygen has given it.
class Places {
    #places = new Map()
    set(id, place) { this.#places.set(id, place) }
    link(id, text) { const place = this.#places.get(id); return place ? `[${text}](${place})` : text }
}

function inline(nodes, places) {
    return nodes.map(node => {
        const tag = tagOf(node), inner = () => inline(childrenOf(node), places)
        switch (tag) {
        case '#text': return escaped(String(node['#text']))
        case 'computeroutput': return codeOf(plain(childrenOf(node)))
        case 'emphasis': return `*${inner().trim()}*`
        case 'bold': return `**${inner().trim()}**`
        case 'ulink': return `[${inner()}](${attribute(node, 'url')})`
        case 'ref': return places.link(attribute(node, 'refid'), inner())
        case 'linebreak': return '<br>'
        default: return inner()
        }
    }).join('')
}

const isBlock = tag => ['itemizedlist', 'orderedlist', 'programlisting', 'verbatim', 'simplesect'].includes(tag)

function blocks(nodes, places, indent = '') {
    const out = []
    let line = []
    const flush = () => {
        const text = inline(line, places).replace(/\s+/g, ' ').trim()
        if (text) out.push(indent + text)
        line = []
    }
    for (const node of nodes) {
        const tag = tagOf(node)
        if (tag === 'para') { flush(); out.push(...blocks(childrenOf(node), places, indent)); continue }
        if (!isBlock(tag)) { line.push(node); continue }
        flush()
        if (tag === 'itemizedlist' || tag === 'orderedlist')
            out.push(all(childrenOf(node), 'listitem').map(item => {
                const [head = '', ...rest] = blocks(childrenOf(item), places)
                return [`${indent}- ${head.trim()}`, ...rest.map(part => `${indent}  ${part}`)].join('\n\n')
            }).join('\n'))
        else if (tag === 'simplesect') out.push(...blocks(childrenOf(node), places, indent))
        else out.push('```cpp\n' + plain(childrenOf(node)).trim() + '\n```')
    }
    flush()
    return out
}

const description = (nodes, places) =>
    [...blocks(contentOf(nodes, 'briefdescription'), places), ...blocks(contentOf(nodes, 'detaileddescription'), places)].join('\n\n')

const isOfC = member => attribute(member, 'id').startsWith('redlock_8h')
const isInner = text => /\b(detail|lock|primitive)::/.test(text)

function templateOf(nodes) {
    const list = first(nodes, 'templateparamlist')
    if (!list) return ''
    const parameters = all(childrenOf(list), 'param').map(param => {
        const of = childrenOf(param), name = textIn(of, 'declname'), value = textIn(of, 'defval')
        return textIn(of, 'type') + (name ? ` ${name}` : '') + (value && !isInner(value) ? ` = ${value}` : '')
    })
    return `template <${parameters.join(', ')}>\n`
}

function signatureOf(member) {
    const nodes = childrenOf(member), kind = attribute(member, 'kind')
    const type = textIn(nodes, 'type'), name = textIn(nodes, 'name')
    if (kind === 'define') return `#define ${name} ${textIn(nodes, 'initializer')}`
    if (kind === 'typedef' && isOfC(member)) return textIn(nodes, 'definition')
    if (kind === 'typedef') return `using ${name} = ${type}`
    const attributes = attribute(member, 'nodiscard') === 'yes' ? '[[nodiscard]] ' : ''
    const statics = attribute(member, 'static') === 'yes' ? 'static ' : ''
    // What a default says of the inside is of no use to who calls it.
    const args = textIn(nodes, 'argsstring').replace(/ = (Token|detail)\b[^,)]*(\{\})?/g, '').replace(/\s*=\s*(default|delete)$/, (all, what) => what === 'delete' ? ' = delete' : '').replace(/=0$/, ' = 0')
    const value = kind === 'variable' ? textIn(nodes, 'initializer') : ''
    return templateOf(nodes) + attributes + statics + (type ? `${type} ` : '') + name + args + (value ? ` ${value.replace(/^=?\s*/, value.startsWith('{') ? '' : '= ')}` : '')
}

// In C the name of an enumeration or structure alone, which stands there itself.
const isAlias = member => attribute(member, 'kind') === 'typedef' && isOfC(member) &&
    all(contentOf(childrenOf(member), 'type'), 'ref').some(ref => attribute(ref, 'kindref') === 'compound' || textIn(childrenOf(member), 'type').startsWith('enum '))

// Overloads stand under one heading.
function membersOf(nodes, level, owner) {
    const shown = all(nodes, 'sectiondef').flatMap(section => all(childrenOf(section), 'memberdef'))
        .filter(member => attribute(member, 'prot') === 'public' && attribute(member, 'kind') !== 'friend')
        .filter(member => !isAlias(member))
    const byName = new Map()
    for (const member of shown) {
        const name = textIn(childrenOf(member), 'name')
        if (isInner(textIn(childrenOf(member), 'qualifiedname'))) continue
        byName.set(name, [...byName.get(name) ?? [], member])
    }
    return [...byName].map(([name, members]) => ({ name, members, level, anchor: memberAnchor(name, owner) }))
}

function enumeration(member, places) {
    const nodes = childrenOf(member)
    const rows = all(nodes, 'enumvalue').map(value => {
        const of = childrenOf(value)
        return `| ${codeOf(textIn(of, 'name'))} | ${description(of, places).replace(/\n+/g, ' ')} |`
    })
    return ['```cpp\nenum ' + (isOfC(member) ? '' : 'class ') + textIn(nodes, 'name') + '\n```', description(nodes, places), ['| | |', '| --- | --- |', ...rows].join('\n')]
}

function memberText({ name, members, level, anchor }, places) {
    const heading = { constructors: 'Constructors', destructor: 'Destructor' }[anchor] ?? escaped(name)
    const parts = [`${'#'.repeat(level)} ${heading} {#${anchor}}`]
    for (const member of members)
        if (attribute(member, 'kind') === 'enum') parts.push(...enumeration(member, places))
        else parts.push('```cpp\n' + signatureOf(member) + '\n```', description(childrenOf(member), places))
    return parts.filter(Boolean).join('\n\n')
}

/// Writes the pages, and gives what there is: { title, items: [{ text, link }] } for each part.
export function writeReference(xml, into) {
    mkdirSync(into, { recursive: true })
    const compounds = readdirSync(xml).filter(file => /^(class|struct|namespaceredlock|redlock_8h\.)/.test(file))
        .map(file => first(childrenOf(first(parser.parse(readFileSync(join(xml, file), 'utf8')), 'doxygen')), 'compounddef'))
        .map(node => ({ id: attribute(node, 'id'), kind: attribute(node, 'kind'), nodes: childrenOf(node), name: textIn(childrenOf(node), 'compoundname') }))
        .filter(({ name }) => !/(detail|lock|primitive|memory)$|::(detail|lock|primitive)::/.test(name))
    const places = new Places()
    const pages = compounds.map(compound => {
        // The header for C is a page as a namespace is.
        const isC = compound.kind === 'file'
        const isNamespace = isC || compound.kind === 'namespace'
        const short = compound.name.replace(/^redlock::/, '')
        const file = isC ? 'c' : isNamespace ? (compound.name === 'redlock' ? 'functions' : `${short}-functions`) : anchorOf(short)
        places.set(compound.id, `./${file}.md`)
        const members = membersOf(compound.nodes, 2, short.split('::').at(-1))
        for (const { anchor, members: same } of members)
            for (const member of same) {
                places.set(attribute(member, 'id'), `./${file}.md#${anchor}`)
                for (const value of all(childrenOf(member), 'enumvalue')) places.set(attribute(value, 'id'), `./${file}.md#${anchor}`)
            }
        return { ...compound, short, file, members, isNamespace }
    }).filter(page => page.members.length > 0 || !page.isNamespace)

    for (const page of pages) {
        const header = page.kind === 'file' ? 'redlock/redlock.h' : textIn(page.nodes, 'includes')
        const title = page.kind === 'file' ? `${page.name}, for programs in C` : page.isNamespace ? `Functions, enumerations and constants of ${page.name}` : page.short
        const parts = [`# ${escaped(title)} {#top}`, header && '```cpp\n#include <' + header + '>\n```', description(page.nodes, places),
            ...page.members.map(member => memberText(member, places))]
        writeFileSync(join(into, `${page.file}.md`), parts.filter(Boolean).join('\n\n') + '\n')
    }
    const item = page => ({ text: page.isNamespace ? page.name : page.short, link: `/reference/${page.file}` })
    const sorted = [...pages].sort((a, b) => a.short.localeCompare(b.short))
    const parts = [
        { title: 'Classes', items: sorted.filter(page => page.kind === 'class').map(item) },
        { title: 'Plain data', items: sorted.filter(page => page.kind === 'struct').map(item) },
        { title: 'Functions and enumerations', items: sorted.filter(page => page.isNamespace).map(item) },
    ]
    const summary = page => {
        const [line = ''] = blocks(contentOf(page.nodes, 'briefdescription'), places)
        return `| [${escaped(page.isNamespace ? page.name : page.short)}](./${page.file}.md) | ${line.replace(/\n/g, ' ')} |`
    }
    writeFileSync(join(into, 'index.md'), ['# Reference', 'What the public headers say of themselves. `#include <redlock/redlock.hpp>` includes all of them but `redlock/testing.hpp`.',
        ...parts.map(({ title }, place) => [`## ${title}`, ['| | |', '| --- | --- |',
            ...sorted.filter(page => place === 2 ? page.isNamespace : page.kind === (place === 0 ? 'class' : 'struct')).map(summary)].join('\n')].join('\n\n'))].join('\n\n') + '\n')
    return parts
}
