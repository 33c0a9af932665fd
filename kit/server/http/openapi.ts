import type { Call } from '@kit/contract'
import { isDownload, isRedirect, isWebhook } from '@kit/contract'
import { z } from 'zod'

type Json = Record<string, unknown>

const in_header = { type: 'apiKey', in: 'header', name: 'Authorization' }

/** One scheme for each kind of credential. OpenAPI has no scheme for a path or a body: the description says where else one travels. */
const securitySchemes = {
  session: { ...in_header, description: 'token of a signed-in person' },
  ticket: { ...in_header, description: 'one-purpose credential named by the call; one with a field or a cookie of its own travels there instead' },
  app: { ...in_header, description: 'proof of a partner or of the message broker; an application opened here renews by its cookie' },
  webhook: { ...in_header, description: 'proof by the provider, after its own rule: a signature in the query or in its headers' },
  device: { ...in_header, description: 'ticket made for one device, part of the address that it is given' },
} as const

type Credential = keyof typeof securitySchemes | 'none'

/** What the caller of a call has to show. */
function credentialOf({ details }: Call): Credential {
  if ('open' in details) return 'none'
  if ('ticket' in details) return 'ticket'
  return 'auth' in details ? details.auth : 'session'
}

/** OpenAPI 3.1 document of every call of the registry. */
export function openapi(calls: readonly Call[]): Json {
  const paths: Record<string, Json> = {}
  for (const call of calls) {
    for (const path of call.paths) {
      const url = path.replace(/:(\w+)/g, '{$1}')
      paths[url] = { ...paths[url], [call.method.toLowerCase()]: operation(call, path !== call.paths[0]) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Smart campus console API', version: '1.4.9' },
    components: { securitySchemes },
    paths,
  }
}

function operation(call: Call, is_alias: boolean): Json {
  const { params, query, body } = call.details
  const credential = credentialOf(call)
  const has_body = (call.method === 'POST' || call.method === 'PUT') && !isWebhook(call)
  return {
    operationId: is_alias ? undefined : call.call,
    tags: [call.call.split('.')[0]],
    description: accessText(call),
    security: credential === 'none' ? [] : [{ [credential]: [] }],
    parameters: [...parameters(params, 'path'), ...(has_body ? [] : parameters(query ?? body, 'query'))],
    ...(has_body && body ? { requestBody: { content: { [mediaOf(call)]: { schema: schemaOf(body, 'input') } } } } : {}),
    responses: answers(call),
  }
}

function answers(call: Call): Json {
  if (isRedirect(call)) return { 302: { description: 'Found' } }
  return { 200: { description: 'OK', content: isDownload(call) ? { 'application/octet-stream': {} } : { 'application/json': { schema: envelope(call.details.reply) } } } }
}

function mediaOf(call: Call): string {
  return call.details.upload ? 'multipart/form-data' : 'application/json'
}

function accessText(call: Call): string {
  const { details } = call
  if ('need' in details) return `permission ${details.need}${details.within ? `, within ${details.within}` : ''}`
  if ('open' in details) return `open: ${details.open}`
  if ('ticket' in details) return `ticket: ${details.ticket}`
  return 'auth' in details ? `machine: ${details.auth}` : 'any session'
}

function envelope(reply: z.core.$ZodType): Json {
  const data = schemaOf(reply, 'output')
  return { type: 'object', required: ['code', 'msg', 'data'], properties: { code: { const: 600 }, msg: { type: 'string' }, data } }
}

function parameters(schema: z.core.$ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !field.safeParse(undefined).success,
    schema: schemaOf(field, 'input'),
  }))
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
}
