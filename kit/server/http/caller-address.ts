import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '../config/index.ts'

/** The address a request comes from, as the HTTP server reckons it: the socket's, or what a proxy named in CAMPUS_TRUST_PROXY says. */
export function callerAddress({ CAMPUS_TRUST_PROXY: named }: Config): (request: IncomingMessage) => string {
  const trusted = named === '' ? () => false : proxyAddr.compile(named.split(','))
  return request => proxyAddr(request, trusted)
}
