import { AlarmItem, BoardItem, CardItem, ImageItem, PassItem, PlaystatItem, PositionItem, WarnItem } from '@kit/terminal-protocol'
import type { EventUp } from '@kit/terminal-protocol'
import { storeWarnings } from '../ai/intake.ts'
import { keepPicture } from '../ai/picture.ts'
import type { Enter } from '../ai/picture.ts'
import { followReceipts, tellPlaystats } from '../board/receipt.write.ts'
import type { Line } from '../link/line.ts'
import { writeAlarm } from './alarm.write.ts'
import { cardRow, insertCards } from './card.write.ts'
import { writeDeadLetter } from './dead-letter.write.ts'
import type { Hearing, Item } from './heard.ts'
import { insertPasses, passRow, pictureUse } from './pass.write.ts'
import type { PassPicture, RecordKey } from './pass.write.ts'
import { raiseRecordLost } from './record-lost.ts'
import { insertPositions, positionRow } from './position.write.ts'
import { noteCards, noteRefusedCards } from '../reader/sighting.write.ts'

/** `pictures`: those that were looked at before, by the number of the item that tells of them. */
type Heard = Omit<Hearing, 'now'> &
  EventUp & { pictures?: ReadonlyMap<number, Enter>; /** those that came with passes */ pass_pictures?: ReadonlyMap<number, PassPicture> }
/** What was not there before, and the pictures that are wanted. */
export type Stored = { passes: RecordKey[]; cards: RecordKey[]; wanted: string[] }

/**
 * Stores what happened at a device, each record once however often it comes; what cannot be understood goes among the dead letters and is acknowledged
 * all the same, so that nothing behind it waits (chapter 30 rule 14).
 */
export async function storeEvents(line: Line, { items, gap, pictures = new Map(), pass_pictures, ...heard }: Heard): Promise<Stored> {
  const hearing = { ...heard, now: line.now }
  const storable = items.filter(isStorable)
  const [said_passes, said_cards] = [saying(storable, 'pass', PassItem), saying(storable, 'card', CardItem)]
  const passes = await insertPasses(line, said_passes.map(([item, said]) => passRow(item, said, hearing, pass_pictures?.get(item.seq))))
  const cards = await insertCards(line, said_cards.map(([item, said]) => cardRow(line, item, said, hearing)))
  for (const { seq } of pass_pictures ? newOf(said_passes, passes) : []) {
    await pass_pictures?.get(seq)?.enter(line, pictureUse(line.device_id, `${heard.epoch}:${seq}`))
  }
  await noteRefusedCards(line, newOf(said_passes, passes))
  await noteCards(line, newOf(said_cards, cards))
  await insertPositions(line, saying(storable, 'position', PositionItem).map(([item, said]) => positionRow(item, said, hearing)))
  for (const [item, said] of saying(storable, 'alarm', AlarmItem)) await writeAlarm(line, item, said, hearing)
  await followReceipts(line, heard.epoch, saying(storable, 'board', BoardItem).map(([, said]) => said))
  await tellPlaystats(line, saying(storable, 'playstat', PlaystatItem).map(([, said]) => said))
  const wanted = await storeWarnings(line, saying(storable, 'warn', WarnItem), hearing)
  for (const [item, said] of saying(storable, 'image', ImageItem)) {
    const enter = pictures.get(item.seq)
    if (enter) await keepPicture(line, said, enter)
  }
  for (const item of items) await setAside(line, item)
  if (gap) await raiseRecordLost(line, { from: gap.from, to: gap.to })
  return { passes, cards, wanted }
}

/** What was said in records that were not there before: a repetition is not seen twice. */
function newOf<T extends { seq: number }>(told: readonly (readonly [Item, T])[], keys: readonly RecordKey[]): T[] {
  const fresh = new Set(keys.map(key => key.device_seq.slice(key.device_seq.lastIndexOf(':') + 1)))
  return told.flatMap(([, said]) => (fresh.has(String(said.seq)) ? [said] : []))
}

type Schema<T> = { safeParse(item: Item): { data?: T | undefined } }

/** The items of a type, with what they say. */
function saying<T>(items: readonly Item[], type: string, schema: Schema<T>): [Item, T][] {
  return items.flatMap((item): [Item, T][] => {
    const said = item.type === type ? schema.safeParse(item).data : undefined
    return said === undefined ? [] : [[item, said]]
  })
}

const schemas: ReadonlyMap<unknown, Schema<unknown>> = new Map<unknown, Schema<unknown>>([['pass', PassItem], ['card', CardItem], ['position', PositionItem], ['alarm', AlarmItem], ['warn', WarnItem], ['image', ImageItem], ['board', BoardItem], ['playstat', PlaystatItem]])

/** What nobody understands is kept as such. */
async function setAside(line: Line, item: Item): Promise<void> {
  const schema = schemas.get(item.type)
  if (schema?.safeParse(item).data !== undefined && isStorable(item)) return
  await writeDeadLetter(line, { topic: 'up/event', reason: schema ? 'body' : 'unsupported', detail: `seq ${item.seq} ${typeof item.type === 'string' ? item.type : ''}` })
}

/** A text that a database cannot hold. */
function isStorable(item: Item): boolean {
  return !JSON.stringify(item).includes('\\u0000')
}
