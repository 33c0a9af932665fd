import type { App } from '@kit/server/http'
import { openText, sealText } from '@kit/server/secrets'
import { z } from 'zod'
import type { LineCells } from './sheet-text.ts'

type Of = { app: App; school_id: number }
type Column = { prop: string; secret?: true | undefined }

/** Stands for a text that is there and is told to nobody. */
export const hidden_text = '••••••'
const lost = '已加密的内容无法读取，请重新填写'

/** A line as the database keeps it: texts of secret columns stand sealed beside the others. */
const Kept = z.object({ cells: z.record(z.string(), z.string()), flaws: z.array(z.object({ prop: z.string(), msg: z.string() })), sealed: z.record(z.string(), z.string()).optional() })
export type KeptLine = z.output<typeof Kept>

const purpose = (school_id: number) => `jobs.import:${school_id}`
const secretsOf = (columns: readonly Column[]) => columns.flatMap(({ prop, secret }) => (secret ? [prop] : []))

/** Seals the secret texts of a line; they stand in no other column. */
export function keepLine({ app, school_id }: Of, columns: readonly Column[], { cells, flaws }: LineCells): KeptLine {
  const secrets = secretsOf(columns).filter(prop => (cells[prop] ?? '') !== '')
  if (secrets.length === 0) return { cells, flaws }
  const sealed = secrets.map(prop => [prop, sealText(app.secrets.data_key, purpose(school_id), cells[prop] ?? '').toString('base64')] as const)
  return { cells: { ...cells, ...Object.fromEntries(secrets.map(prop => [prop, ''])) }, flaws, sealed: Object.fromEntries(sealed) }
}

/** The line of a row that has its own copy, with its secrets; null when the file has it. A secret that no longer opens has to be typed again. */
export function openLine({ app, school_id }: Of, { raw }: { raw: unknown }): LineCells | null {
  const kept = keptLine({ raw })
  if (!kept?.sealed) return kept
  const opened: Record<string, string> = {}
  const flaws = [...kept.flaws]
  for (const [prop, sealed] of Object.entries(kept.sealed)) {
    try {
      opened[prop] = openText(app.secrets.data_key, purpose(school_id), Buffer.from(sealed, 'base64'))
    } catch {
      flaws.push({ prop, msg: lost })
    }
  }
  return { cells: { ...kept.cells, ...opened }, flaws }
}

/** The texts of a row as they may be shown: of a secret only that there is one. */
export function shownCells(columns: readonly Column[], row: { raw: unknown }, file: Readonly<Record<string, string>>): Record<string, string> {
  const kept = keptLine(row)
  const cells = kept?.cells ?? file
  return { ...cells, ...Object.fromEntries(secretsOf(columns).map(prop => [prop, kept?.sealed?.[prop] !== undefined || (cells[prop] ?? '') !== '' ? hidden_text : ''])) }
}

function keptLine({ raw }: { raw: unknown }): KeptLine | null {
  return Kept.nullable().parse(raw)
}
