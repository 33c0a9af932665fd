import { protocol } from '@electric-sql/pglite'
import type { PGlite } from '@electric-sql/pglite'
import type { PgliteAnswer } from './pglite-protocol.ts'
import type { WireValue } from './value-codec.ts'

const { serialize, messages } = protocol
const counted = /^(?:INSERT|UPDATE|DELETE|MERGE)\b.* (\d+)$/

/**
 * Runs a statement in one message of the extended protocol; the engine's own call for it takes five, of which one asks for the types of the
 * parameters, which all travel as text here. `kept` = names of the statements that the session has read already: one with a name is read once.
 * @throws DatabaseError; the session is ready for the next statement
 */
export async function runQuery(engine: PGlite, kept: Set<string>, { text, values, name = '' }: { text: string; values: readonly WireValue[]; name?: string | undefined }): Promise<PgliteAnswer> {
  if (name !== '' && !kept.has(name)) {
    await engine.execProtocol(joined([serialize.parse({ name, text }), serialize.sync()]))
    kept.add(name)
  }
  const read = name === '' ? [serialize.parse({ text })] : []
  const run = [serialize.bind({ statement: name, values: [...values] }), serialize.describe({ type: 'P' }), serialize.execute({}), serialize.sync()]
  const told = await engine.execProtocol(joined([...read, ...run]))
  return answerOf(told.messages)
}

type Told = Awaited<ReturnType<PGlite['execProtocol']>>['messages']

function answerOf(told: Told): PgliteAnswer {
  const answer: PgliteAnswer = { command: '', affected: 0, names: [], type_oids: [], rows: [] }
  for (const message of told) {
    if (message instanceof messages.DataRowMessage) answer.rows.push(message.fields)
    else if (message instanceof messages.RowDescriptionMessage) {
      answer.names = message.fields.map(field => field.name)
      answer.type_oids = message.fields.map(field => field.dataTypeID)
    } else if (message instanceof messages.CommandCompleteMessage) {
      answer.command = message.text.split(' ', 1)[0] ?? ''
      answer.affected = Number(counted.exec(message.text)?.[1] ?? 0)
    }
  }
  return answer
}

/** Messages behind one another, as one. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
