import { channelKind } from '@kit/contract'
import type { ChannelFact } from '@kit/contract'
import type { z } from 'zod'
import type { ChannelDesk, ServedChannel } from '../http/index.ts'

type Rules<R extends z.ZodObject> = {
  always?: boolean
  may?(desk: ChannelDesk, of: string): Promise<boolean>
  visible?(desk: ChannelDesk, rows: readonly z.output<R>[]): Promise<readonly z.output<R>[]>
}

/** The server's side of a declared channel. One of a family (`job:{no}`) needs `may`; one with a row scope needs `may` or `visible`. */
export function serveChannel<R extends z.ZodObject>(fact: ChannelFact<R>, rules: Rules<R> = {}): ServedChannel {
  const { always = false, may, visible } = rules
  return { fact, always, ...(may ? { may } : {}), ...(visible ? { visible: (desk, rows) => visible(desk, rows.map(row => fact.row.parse(row))) } : {}) }
}

const shape = /^[a-z_]+(:\{[a-z_]+\}|:[a-z_]+)?$/

/**
 * All channels of the product by name; compared at start, so that a slip stops the start and not a school's morning.
 * @throws Error in one line: two of one name, a name of another shape, an unknown permission code, a scope that nobody applies
 */
export function composeChannels(served: readonly ServedChannel[], codes: ReadonlySet<string>): ReadonlyMap<string, ServedChannel> {
  const known = new Map<string, ServedChannel>()
  for (const one of served) {
    const { name, need, within } = one.fact
    if (known.has(name)) throw new Error(`two channels are called ${name}`)
    if (!shape.test(name)) throw new Error(`channel ${name}: a name is a word, word:word or word:{what}`)
    if (need !== undefined && !codes.has(need)) throw new Error(`channel ${name} needs ${need}, which nobody grants`)
    const is_scoped = within !== undefined && within !== 'school' && within !== 'self'
    if ((isFamily(name) || is_scoped) && !one.may && !one.visible) throw new Error(`channel ${name} says who may hear it, and nothing asks`)
    known.set(name, one)
  }
  return known
}

/** Which channel of the product is meant by what a browser asks, and which one of a family. */
export function findChannel(known: ReadonlyMap<string, ServedChannel>, asked: string): { served: ServedChannel; of: string | undefined } | undefined {
  const plain = known.get(asked)
  if (plain) return isFamily(asked) ? undefined : { served: plain, of: undefined }
  const kind = channelKind(asked)
  const family = [...known.values()].find(({ fact }) => isFamily(fact.name) && channelKind(fact.name) === kind)
  const of = asked.slice(kind.length + 1)
  return family && of !== '' ? { served: family, of } : undefined
}

/** Whether an identity may hear a channel at all, and this one of its family. */
export async function mayHear(desk: ChannelDesk, { served, of }: { served: ServedChannel; of: string | undefined }): Promise<boolean> {
  const { need } = served.fact
  if (need !== undefined && !desk.me.codes.has(need)) return false
  return served.may && of !== undefined ? served.may(desk, of) : true
}

function isFamily(name: string): boolean {
  return name.endsWith('}')
}
