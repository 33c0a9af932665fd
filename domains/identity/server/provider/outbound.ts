import { z } from 'zod'
import { ProviderFault } from './fault.ts'

/** A login waits for it. */
const patience_ms = 5000
const most_bytes = 256 * 1024

export type Asked = { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }

/**
 * Asks a provider and reads its JSON. Nobody is followed elsewhere, nothing larger than 256 KiB is read, and what stands in the address is
 * never repeated.
 * @throws ProviderFault silent without an answer in five seconds, refused when it is no JSON object
 */
export async function askProvider(address: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(address, { method, headers: { accept: 'application/json', ...headers }, body, redirect: 'manual', signal: AbortSignal.timeout(patience_ms) }).catch(() => {
    throw new ProviderFault('silent', '对方没有响应，请检查网络')
  })
  if (answer.status >= 300 && answer.status < 400) throw new ProviderFault('refused', '对方要求跳转，已拒绝')
  if (answer.status >= 500) throw new ProviderFault('silent', `对方服务异常（${answer.status}）`)
  return { status: answer.status, body: objectOf(await textOf(answer)) }
}

/** What an answer holds. @throws ProviderFault refused, with this reason, when it holds something else */
export function readAs<T extends z.ZodType>(shape: T, body: Record<string, unknown>, wrong: string): z.output<T> {
  const read = shape.safeParse(body)
  if (!read.success) throw new ProviderFault('refused', wrong)
  return read.data
}

/** A form as OAuth wants it. */
export function formOf(values: Record<string, string>): Asked {
  return { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams(values).toString() }
}

async function textOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of answer.body ?? []) {
      bytes += part.length
      if (bytes > most_bytes) throw new ProviderFault('refused', '对方返回的内容过大')
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof ProviderFault ? error : new ProviderFault('silent', '对方的响应中断')
  }
  return Buffer.concat(parts).toString('utf8')
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch {
    throw new ProviderFault('refused', '对方返回的内容无法识别')
  }
}
