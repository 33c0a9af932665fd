import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure, Line } from './figure.ts'

const file = join(import.meta.dirname, '../docs/performance.md')

const intro = `# Performance

Written by \`npm run bench\`; every figure is measured in one run together with its baseline, in turn, several times, and the median is shown.
Limits are ratios and sizes rather than times, because times say more about the machine than about the product. A broken limit ends the
run with exit code 1. \`npm run bench -- <name>\` measures one figure again and replaces its section here; \`--quick\` takes less data and
writes nothing.`

/** The lines of a figure as they are printed. */
export function printLines(lines: readonly Line[]): string {
  return lines.map(line => `  ${verdict(line).padEnd(9)} ${line.what}${line.asked ? ` [${line.asked}]` : ''}: ${line.result}${line.limit ? ` (${line.limit})` : ''}`).join('\n')
}

/** Puts the sections of the measured figures into docs/performance.md; sections of other figures stay. */
export function writeReport(figures: readonly Figure[], measured: ReadonlyMap<string, readonly Line[]>, machine: string): void {
  const known = existsSync(file) ? readSections(readFileSync(file, 'utf8')) : new Map<string, string>()
  for (const figure of figures) {
    const lines = measured.get(figure.name)
    if (lines) known.set(figure.name, section(figure, lines, machine))
  }
  const sections = figures.flatMap(({ name }) => known.get(name) ?? [])
  writeFileSync(file, `${[intro, ...sections].join('\n\n')}\n`)
}

function readSections(text: string): Map<string, string> {
  const parts = text.split(/^(?=<!-- figure )/m).slice(1)
  return new Map(parts.map(part => [/^<!-- figure (\S+) -->/.exec(part)?.[1] ?? '', part.trim()]))
}

function section({ name, title, how }: Figure, lines: readonly Line[], machine: string): string {
  const rows = lines.map(line => `| ${line.what} | ${line.asked ?? ''} | ${line.result} | ${line.limit ?? ''} | ${verdict(line)} |`)
  return [
    `<!-- figure ${name} -->`,
    `## ${title}`,
    '',
    `\`npm run bench -- ${name}\` on ${machine}. ${how}`,
    '',
    '| figure | asked by | result | limit | verdict |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function verdict({ limit, holds }: Line): string {
  if (limit === null) return 'reported'
  return holds ? 'holds' : '**BROKEN**'
}
