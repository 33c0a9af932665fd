import { factorySettings, groupFaults, secret_settings } from '@kit/terminal-protocol/console'
import type { Settings, SettingsAnswer, SettingValues } from '@kit/terminal-protocol/console'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { testConnection } from './connection-test.ts'
import type { Desk } from './desk.ts'
import { afterwards, Refused } from './pages.ts'

const refused = 422
/** Groups that are saved at once, and what of the network may be: the rest of it is tried first. */
const saved_groups = ['face', 'base', 'reader', 'access', 'mqtt', 'net', 'sys'] as const
const saved_of_net: readonly string[] = ['mappings']
const Group = z.object({ group: z.enum(saved_groups) })
const Values = z.object({ values: z.record(z.string(), z.union([z.number(), z.string(), z.array(z.string())])) })

/** Reading and saving settings: all values of a group or none. */
export function addSettingsCalls(app: FastifyInstance, desk: Desk): void {
  const { terminal } = desk
  app.get('/api/settings', () => answerOf(desk))
  app.put('/api/settings/:group', (request, reply) => {
    const { group } = Group.parse(request.params)
    const values = given(group, request.body)
    if (group === 'net' && Object.keys(values).some(name => !saved_of_net.includes(name))) throw new Refused(refused, { code: 'unknown', key: 'net' })
    terminal.store.set(group, values)
    desk.note('warn', `settings of ${group} saved`)
    if (group === 'mqtt') afterwards(reply, () => terminal.reconnect())
    return answerOf(desk)
  })
  app.put('/api/network', request => {
    desk.tryNetwork(given('net', request.body))
    return answerOf(desk)
  })
  app.post('/api/network/:end', request => {
    const { end } = z.object({ end: z.enum(['confirm', 'back']) }).parse(request.params)
    desk.endTrial(end === 'confirm')
    return answerOf(desk)
  })
  app.post('/api/connection-test', request => testConnection(terminal, { ...settingsOf(desk)['mqtt'], secret: terminal.broker.secret, ...given('mqtt', request.body) }))
}

/** The values of a call that the terminal takes; an empty secret leaves the one it has. @throws Refused that names every field that is wrong */
function given(group: string, body: unknown): SettingValues {
  const { values } = Values.parse(body)
  const kept = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== '' || !secret_settings.includes(`${group}.${name}`)))
  const faults = secretFaults(group, kept)
  if (faults.length > 0) throw new Refused(refused, ...faults)
  return kept
}

/** The password of the console has a call of its own. */
function secretFaults(group: string, values: SettingValues) {
  return group === 'base' && 'password' in values ? [{ code: 'unknown', key: 'base.password' } as const] : groupFaults(group, values)
}

function answerOf(desk: Desk): SettingsAnswer {
  const { store, sn } = desk.terminal
  const secrets = secret_settings.filter(key => key !== 'base.password' && String(store.own(key) ?? '') !== '')
  const settings = settingsOf(desk)
  const shown = Object.entries(settings).map(([group, values]) => [group, Object.fromEntries(Object.entries(values).filter(([name]) => !secret_settings.includes(`${group}.${name}`)))])
  return { settings: Object.fromEntries(shown), has_secrets: secrets, client_id: sn, trial_seconds: desk.trial?.seconds ?? null }
}

/** Settings as they hold now: of the broker as the terminal was started with, of the network what is being tried. */
function settingsOf({ terminal, trial }: Desk): Settings {
  const { store, broker } = terminal
  const held = Object.entries(factorySettings()).map(([group, values]) => [group, Object.fromEntries(Object.keys(values).map(name => [name, store.setting(`${group}.${name}`) ?? '']))] as const)
  const { net = {}, mqtt = {}, ...others } = Object.fromEntries(held)
  return { ...others, mqtt: { ...mqtt, addr: broker.url, username: broker.username, prefix: broker.prefix }, net: { ...net, ...trial?.values } }
}
