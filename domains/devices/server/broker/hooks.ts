import { timingSafeEqual } from 'node:crypto'
import type { brokerApi } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { addressList } from '@kit/server/http'
import type { FileReply, Pre } from '@kit/server/http'
import { brokerPort, clientKindPort, covers } from '@kit/server/mqtt'
import { judge } from '../link/judge.ts'
import { sessionsPort } from '../link/sessions.ts'
import { tellLeft } from '../notice.ts'

const loopback = '127.0.0.0/8,::1'
/** Somebody else has its place already: the end of the earlier session is not the end of the device. */
const taken_over = ['takenover', 'takeovered', 'discarded']

/** Whether somebody may come in. Our own server comes with what its address holds. @throws Refusal 404 whoever is not the broker */
export async function mayEnter(pre: Pre, { clientid, username, password, peerhost }: Input<typeof brokerApi.auth>): Promise<FileReply> {
  requireBroker(pre)
  if (isOurselves(pre, username, password)) return answer({ result: 'allow', is_superuser: true })
  const sessions = sessionsPort.one(pre.app)
  const good = deviceKind(pre)?.owns(clientid) === true && (await judge(sessions, { client_id: clientid, username, password, address: peerhost, transport: 'tcp' })) !== null
  return answer({ result: good ? 'allow' : 'deny', is_superuser: false })
}

/** Whether a client may say or hear something: below its own id alone, and nothing that stays. @throws Refusal 404 whoever is not the broker */
export async function mayUse(pre: Pre, { clientid, action, topic, retain }: Input<typeof brokerApi.acl>): Promise<FileReply> {
  requireBroker(pre)
  const kind = deviceKind(pre)
  const grants = kind?.owns(clientid) ? kind.grants(brokerPort.one(pre.app).prefix, clientid) : undefined
  const is_kept = action === 'publish' && ['true', '1'].includes(String(retain))
  return answer({ result: !is_kept && grants?.[action].some(filter => covers(filter, topic)) ? 'allow' : 'deny' })
}

/** Somebody has gone: whichever server speaks with the devices learns it. @throws Refusal 404 whoever is not the broker */
export async function noteEvent(pre: Pre, { event, clientid, reason }: Input<typeof brokerApi.event>): Promise<FileReply> {
  requireBroker(pre)
  if (event === 'client.disconnected' && !taken_over.includes(reason)) await pre.own(0, db => tellLeft({ db, school_id: 0 }, clientid))
  return answer({})
}

/** Whoever is not the broker finds nothing here. */
function requireBroker({ app: { config }, bearer, request }: Pre): void {
  const { CAMPUS_MQTT_HOOK_SECRET: secret, CAMPUS_MQTT_HOOK_ALLOW } = config
  const may_ask = addressList(CAMPUS_MQTT_HOOK_ALLOW === '' ? loopback : CAMPUS_MQTT_HOOK_ALLOW)
  if (secret === '' || !may_ask(request.ip) || !isEqual(bearer, secret)) throw fail(commonErrors.notFound)
}

function isOurselves({ app: { config } }: Pre, username: string, password: string): boolean {
  if (config.CAMPUS_MQTT_URL === '') return false
  const own = new URL(config.CAMPUS_MQTT_URL)
  return username === decodeURIComponent(own.username) && isEqual(password, decodeURIComponent(own.password))
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function deviceKind({ app }: Pre) {
  return clientKindPort.all(app).find(kind => kind.outside !== undefined)
}

function answer(facts: Record<string, unknown>): FileReply {
  return { file_name: 'answer.json', mime: 'application/json; charset=utf-8', body: Buffer.from(JSON.stringify(facts)) }
}
