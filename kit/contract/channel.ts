import type { z } from 'zod'
import type { Within } from './api.ts'

/**
 * What is told to open browsers as it happens (chapter 10 S10). `name` is the register's (chapter 90 §2): `alarm`, or `job:{no}` where one of many is
 * watched. `row` is what is told; `need` and `within` say who may hear it, as they do of a call.
 */
export type ChannelFact<R extends z.ZodObject = z.ZodObject> = { name: string; row: R; need?: string; within?: Within }

/** Declares a channel of a domain, in its `contract/channels.ts`. */
export function channel<R extends z.ZodObject>(name: string, row: R, access: { need?: string; within?: Within } = {}): ChannelFact<R> {
  return { name, row, ...access }
}

/** What a browser asks to watch: a name, or a name with the one that is meant, `job:0f3a`. */
export const asked_channel = /^[a-z_]+(:[A-Za-z0-9_-]{1,64})?$/

/** The first word of a channel; the last level of its topic. */
export function channelKind(name: string): string {
  return name.split(':')[0] ?? name
}

/** The name under which one of a family is watched: `job:{no}` of `0f3a` is `job:0f3a`. */
export function channelOf(name: string, of: string | undefined): string {
  return of === undefined ? name : name.replace(/\{\w+\}$/, of)
}
