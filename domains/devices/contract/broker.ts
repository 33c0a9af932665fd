import { api, download, post } from '@kit/contract'
import { z } from 'zod'

const Text = z.string().max(256)
/** Every message of every device would leave a line. */
const unlogged = '消息服务每次连接和收发都会询问'

/**
 * What an outside broker asks (EMQX and similar, chapter 30 §4): with its own secret in the Authorization header, from addresses that are named for it.
 * Each answer is the bare JSON that such a broker reads, not an envelope.
 */
export const brokerApi = api('iot', 'devices.broker', {
  auth: post('broker/auth', { body: z.object({ clientid: Text, username: Text, password: Text, peerhost: z.string().max(45).default('') }), reply: download, auth: 'app', unlogged }),
  acl: post('broker/acl', { body: z.object({ clientid: Text, action: z.enum(['publish', 'subscribe']), topic: z.string().max(1024), retain: z.union([z.boolean(), z.string().max(9), z.number()]).default(false) }), reply: download, auth: 'app', unlogged }),
  event: post('broker/event', { body: z.object({ event: z.string().max(40), clientid: Text, reason: z.string().max(100).default('') }), reply: download, auth: 'app', unlogged }),
})
