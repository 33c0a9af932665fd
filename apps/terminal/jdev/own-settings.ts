import type { DownRow } from '@kit/terminal-protocol'
import { settingFault } from '@kit/terminal-protocol/console'
import { z } from 'zod'
import type { TerminalStore } from './store.ts'

const Config = z.object({ group: z.string(), values: z.record(z.string(), z.union([z.number(), z.string(), z.array(z.string())])) })
const Secret = z.object({ group: z.literal('mqtt'), values: z.object({ secret: z.string().min(1).max(128) }) })

const first_version = '1.0.0'

/** A setting that is a number. */
export function numberOf(store: TerminalStore, key: string): number {
  return Number(store.setting(key))
}

export function textOf(store: TerminalStore, key: string): string {
  return String(store.setting(key) ?? '')
}

/** A setting that is rows of text. */
export function rowsOf(store: TerminalStore, key: string): readonly string[] {
  const value = store.setting(key)
  return Array.isArray(value) ? value : []
}

/** Which broker a terminal goes to: by its settings, else as it was started. */
export function brokerOf(store: TerminalStore, { url, sn, secret, prefix }: { url: string; sn: string; secret: string; prefix: string }) {
  const of = (name: string, otherwise: string) => String(store.own(`mqtt.${name}`) ?? otherwise)
  return { url: of('addr', url), username: of('username', sn) || sn, secret: of('secret', secret), prefix: of('prefix', prefix) }
}

/** What a terminal is, and which programs it runs. */
export function buildOf(store: TerminalStore, model: string) {
  const of = (name: string) => textOf(store, `hardware.${name}`) || first_version
  return { model, firmware: of('firmware'), app_version: of('app_version') }
}

/** The secret with which it is to come in from now on. @returns whether a command of the server brings one */
export function takeSecret(store: TerminalStore, args: unknown): boolean {
  const secret = Secret.safeParse(args).data?.values.secret
  if (secret === undefined) return false
  store.set('mqtt', { secret })
  return true
}

/** Sets what a row of configuration says, as far as this terminal has such settings and takes the values; the rest is ignored. @returns the group that has changed */
export function followConfig(store: TerminalStore, { k, op, body }: DownRow): string | undefined {
  const config = k === 'config' && op === 'put' ? Config.safeParse(body).data : undefined
  if (!config) return undefined
  const { group, values } = config
  const taken = Object.entries(values).filter(([name, value]) => settingFault(`${group}.${name}`, value) === undefined)
  if (taken.length === 0) return undefined
  store.set(group, Object.fromEntries(taken))
  return group
}
