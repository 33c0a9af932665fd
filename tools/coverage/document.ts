import type { Item } from './count.ts'

/** One table of the document. */
export type Part = { title: string; counted: string; by: string; items: readonly Item[] }

const head = `# Coverage

What the product description asks for and what is there. Written by \`npm run coverage\`; do not edit.

- **Routes**: built when a domain declares the route's facts and the console has a page for it.
- **Calls**: there when the server registers the path, under any of its names. *Named* calls are spelled in the description; *described* ones it
  says in words, and the specification chose the path. Calls to a card reader on the desk are not the server's and not counted.
- **Sentences**: seen when a test got them in an answer over HTTP or a browser journey had them on a page of the real console; a unit test of a
  validator does not count. The tests record what they see while \`npm test -- all\` runs; it counts whole and alone on its line, \`{N}\` stands for a number.
- **Acceptance**: numbers of the chapters' acceptance lists that a test carries in its name. Such a test may prove a part of its number.

\`✓\` there, \`·\` not yet. \`npm test -- all\` fails when this page claims more than its run found or when a count falls, and names what was lost;
when it found more, \`npm run coverage\` writes it down. By section, what is there first.
`

/** The text of docs/coverage.md. */
export function documentOf(parts: readonly Part[]): string {
  const summary = ['| what | there | of |', '|---|---:|---:|', ...parts.map(part => `| ${part.counted} | ${there(part).length} | ${part.items.length} |`)]
  return [head, ...summary, ...parts.flatMap(tableOf)].join('\n') + '\n'
}

function tableOf(part: Part): string[] {
  const rows = sectionsOf(part.items).flatMap(items => [...items.filter(isThere), ...items.filter(item => !isThere(item))])
  const lines = rows.map(item => `| ${isThere(item) ? '✓' : '·'} | ${item.id} | ${item.section} |${item.name === item.id ? '' : ` ${item.name} |`} ${item.by} |`)
  const columns = part.items.every(item => item.name === item.id) ? ['', 'number', 'section', part.by] : ['', 'id', 'section', part.title.toLowerCase(), part.by]
  return ['', `## ${part.title}`, '', `| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`, ...lines]
}

function sectionsOf(items: readonly Item[]): Item[][] {
  return [...new Set(items.map(item => item.section))].map(section => items.filter(item => item.section === section))
}

function there(part: Part): Item[] {
  return part.items.filter(isThere)
}

function isThere(item: Item): boolean {
  return item.by !== ''
}

/**
 * What a written document claims beyond what is so now: one line for every count that would fall and every item that was lost, of the parts that were
 * counted. More than the document claims is no fault.
 */
export function lostSince(written: string, parts: readonly Part[]): string[] {
  const counts = new Map([...written.matchAll(/^\| (.+) \| (\d+) \| (\d+) \|$/gm)].map(([, name = '', n, of]) => [name, { n: Number(n), of: Number(of) }]))
  const claimed = [...written.matchAll(/^\| ✓ \| (\S+) \| (.+) \|$/gm)].map(([, id = '', row = '']) => ({ id, row }))
  const counted = new Set(parts.flatMap(part => part.items.map(item => item.id)))
  const found = new Set(parts.flatMap(there).map(item => item.id))
  const fallen = parts.flatMap(part => {
    const before = counts.get(part.counted)
    const now = { n: there(part).length, of: part.items.length }
    return before && (before.n > now.n || before.of > now.of) ? [`${part.counted}: ${now.n} of ${now.of}, the page says ${before.n} of ${before.of}`] : []
  })
  return [...fallen, ...claimed.filter(({ id }) => counted.has(id) && !found.has(id)).map(({ id, row }) => `lost: ${id} ${row}`)]
}
