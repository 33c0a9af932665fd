import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { RequestFacts } from './context.ts'

/** Who is on the other end, as far as headers and socket tell. */
export function requestFacts(request: FastifyRequest): RequestFacts {
  return { request_id: randomUUID(), ip: request.ip, device_label: deviceLabel(request.headers['user-agent'] ?? ''), client: 'web' }
}

/** The credential of the Authorization header; a Bearer prefix is tolerated. */
export function bearerOf(request: FastifyRequest): string {
  return (request.headers.authorization ?? '').replace(/^Bearer\s+/i, '').trim()
}

const browsers: [RegExp, string][] = [[/Edg\//, 'Edge'], [/Firefox\//, 'Firefox'], [/MicroMessenger/, '微信'], [/Chrome\//, 'Chrome'], [/Safari\//, 'Safari']]
const systems: [RegExp, string][] = [[/Windows/, 'Windows'], [/Android/, 'Android'], [/iPhone|iPad/, 'iOS'], [/Mac OS/, 'macOS'], [/Linux/, 'Linux']]

function deviceLabel(agent: string): string {
  const first = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(agent))?.[1]
  return `${first(browsers) ?? '其他'} · ${first(systems) ?? '其他系统'}`
}
