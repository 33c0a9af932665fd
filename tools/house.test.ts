import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { makeEmptyTree, makeTree, plantedIn, runIn, writeFiles } from './planted-tree.ts'

const trees: string[] = []
afterAll(() => trees.forEach(tree => rmSync(tree, { recursive: true })))

const kept = (tree: string) => {
  trees.push(tree)
  return tree
}
const sorted = (pairs: Iterable<string>) => [...new Set(pairs)].toSorted()
const matches = (output: string, pattern: RegExp) => [...output.matchAll(pattern)].map(([, file, rule]) => `${file} ${rule}`)
const lines = (count: number, line: string) => `${line}\n`.repeat(count)
const long = (count: number) => `export const first = 1\n${lines(count - 1, '// one more line')}`
const component = (length: number) => `export function Page() {\n${lines(length - 3, '  document.title += 1')}  return null\n}\n`

const boundaries = (tree: string) => runIn(tree, 'tools/check-boundaries.ts')
const house = (tree: string) => runIn(tree, 'tools/check-house.ts')
const lint = (tree: string) => runIn(tree, 'node_modules/oxlint/bin/oxlint', '--format=unix', '--deny-warnings')
const unused = (tree: string) => runIn(tree, 'node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints', '--reporter', 'json')
const ours = /^(\S+?):\d+ (\S+) /gm
const oxlint = /^(\S+?):\d+:\d+: .*\[\w+\/[^(]+\((.+)\)\]$/gm

describe('a house in order', () => {
  it.each([['boundaries', boundaries], ['house', house], ['lint', lint], ['unused', unused]])('passes %s', (_, check) => {
    const { code, output } = check(kept(makeTree()))
    expect(code, output).toBe(0)
  })
})

describe('an empty house', () => {
  it.each([['boundaries', boundaries], ['house', house], ['lint', lint], ['unused', unused]])('fails %s: a run that saw nothing proves nothing', (_, check) => {
    const { code, output } = check(kept(makeEmptyTree()))
    expect(code, output).not.toBe(0)
  })
})

describe('a planted fault', () => {
  it('fails the boundary check, which names the file and the rule', () => {
    const tree = kept(makeTree('boundaries'))
    const { code, output } = boundaries(tree)
    expect(code).toBe(1)
    expect(sorted(matches(output, ours))).toEqual(sorted([...plantedIn(tree), 'domains/untiered/package.json tier-missing']))
  })

  it('20-A23 fails the house check, which names the file and the rule: a domain whose rows name people and that follows neither a merge nor a deletion among them', () => {
    const tree = kept(makeTree('house'))
    writeFiles(tree, {
      'domains/people/web/student.page.tsx': `// planted: page-lines\n${component(121)}`,
      'domains/people/web/parent.page.tsx': component(120),
      'domains/people/web/staff.form.tsx': `// planted: function-lines\n${component(51).replace('Page', 'compute')}`,
    })
    const { code, output } = house(tree)
    expect(code).toBe(1)
    expect(sorted(matches(output, ours))).toEqual(sorted([...plantedIn(tree), 'domains/nameless/README.md domain-readme', 'domains/wordy/README.md domain-readme']))
  })

  it('fails the linter, which names the file and the rule; ceilings begin one line above the figure', () => {
    const tree = kept(makeTree('lint'))
    writeFiles(tree, {
      'domains/people/server/tall.ts': `// planted: max-lines\n${long(300)}`,
      'domains/people/server/full.ts': long(300),
      'domains/people/server/tall.test.ts': `// planted: max-lines\n${long(400)}`,
      'domains/people/server/full.test.ts': long(400),
      'domains/people/web/long.tsx': `// planted: max-lines-per-function\n${component(51)}`,
      'domains/people/web/fitting.tsx': component(50),
      'domains/people/web/long.list.tsx': `// planted: max-lines-per-function\n${component(121)}`,
      'domains/people/web/fitting.list.tsx': component(120),
    })
    const { code, output } = lint(tree)
    expect(code).toBe(1)
    expect(sorted(matches(output, oxlint))).toEqual(sorted(plantedIn(tree)))
  })

  it('fails the search for what nobody uses, which names the file and the kind', () => {
    const tree = kept(makeTree('unused'))
    const { code, stdout } = unused(tree)
    expect(code).toBe(1)
    const { issues }: { issues: ({ file: string } & Record<string, unknown[]>)[] } = JSON.parse(stdout)
    const found = issues.flatMap(({ file, ...kinds }) => Object.entries(kinds).filter(([, list]) => list.length > 0).map(([kind]) => `${file} ${kind}`))
    expect(sorted(found)).toEqual(sorted([...plantedIn(tree), 'domains/identity/package.json dependencies']))
  })
})
