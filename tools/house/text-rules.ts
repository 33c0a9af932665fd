import type { Finding } from '../finding.ts'
import { isTest } from './source.ts'
import type { Source } from './source.ts'

type TextRule = { rule: string; pattern: RegExp; message: string; where: (file: string) => boolean }

const isCode = (file: string) => /\.(tsx?|mjs|cjs)$/.test(file)
const isProduct = (file: string) => /^(kit|domains|apps)\//.test(file) && isCode(file) && !isTest(file)

/** What speaks to terminals, but for the confirmed rebuild of one. */
const isDriver = (file: string) => /^(kit\/terminal-protocol|domains\/devices)\//.test(file) && isProduct(file) && !/\brebuild\b/.test(file)

// Each pattern is written so that its own line does not match it.
const rules: TextRule[] = [
  { rule: 'unfinished', pattern: /\b(T[O]DO|FIX[M]E|XX[X])\b/, message: 'finish it or leave it out', where: () => true },
  { rule: 'lint-silenced', pattern: /(oxlint|eslint|biome)-(disable|ignore)|@ts-(ignore|expect-error|nocheck)/, message: 'mend the code instead of silencing the check', where: isCode },
  { rule: 'placeholder', pattern: /敬请期待|待开发|coming soon|not implemented/i, message: 'no placeholders in the product', where: isProduct },
  { rule: 'machine-path', pattern: /\/work\/(main|shared)|\/home\/[a-z]+\/|\/Users\//, message: 'a path of somebody’s machine', where: () => true },
  { rule: 'upserts-alone', pattern: /(['"`])(modify(User|Key|Permission)|clear(User|Key|Permission|Security))\1/, message: 'a terminal is only sent upserts and deletions by key (chapter 31 §5.7.2)', where: isDriver },
  { rule: 'test-left-out', pattern: /\b(describe|it|test)\.(skip|only|todo|fails)\b/, message: 'a test runs or does not exist', where: isTest },
  { rule: 'mocked-module', pattern: /\bvi\.(mock|doMock|spyOn)\(/, message: 'tests use the real thing', where: isTest },
]

/** Rules that a line of text breaks. */
export function checkText({ file, lines }: Source): Finding[] {
  const active = rules.filter(r => r.where(file))
  return lines.flatMap((text, index) =>
    active.filter(r => r.pattern.test(text)).map(({ rule, message }) => ({ file, line: index + 1, rule, message })),
  )
}

/** A test file asserts something. */
export function checkAsserts({ file, text }: Source): Finding[] {
  if (!isTest(file) || /\b(expect|assert)\b/.test(text)) return []
  return [{ file, line: 1, rule: 'test-asserts', message: 'this test asserts nothing' }]
}
