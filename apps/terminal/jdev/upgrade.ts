import { isSignedPackage } from '@kit/terminal-protocol'
import { z } from 'zod'
import { fetchPackage } from '../package.ts'
import type { CommandReply } from './commands.ts'
import type { TerminalStore } from './store.ts'

/** The package that it is to fetch. */
const UpgradeArgs = z.object({ url: z.url(), md5: z.string(), sha256: z.string(), signature: z.string().default(''), version: z.string(), kind: z.string() })

/** Fetches a package through a line of so many bytes a second (0: a good one) and takes its version over; one that says another version than was meant is another one. */
export async function takePackage(store: TerminalStore, args: unknown, bytes_s: number): Promise<CommandReply> {
  const asked = UpgradeArgs.safeParse(args).data
  if (!asked) return { code: 'body', text: '命令格式不正确' }
  const found = await fetchPackage(asked.url, asked, bytes_s)
  if ('fault' in found) return { code: 'failed', text: found.fault }
  const key = store.own('hardware.firmware_key')
  if (typeof key === 'string' && !isSignedPackage(asked.sha256, asked.signature, key)) return { code: 'failed', text: '固件签名不正确' }
  store.set('hardware', { [asked.kind === 'jbn' ? 'firmware' : 'app_version']: found.version ?? asked.version })
  return { code: 'ok' }
}
