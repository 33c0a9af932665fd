import type { Call, Method } from '@kit/contract'

/** One request as it leaves the browser; `body` is JSON text. */
export type Sending = { method: Method; url: string; body?: string }

/**
 * Method, address and body of a call: path parameters are taken out of the input, the rest is the query of GET and
 * DELETE or the JSON body of the others. Absent values (undefined, null) do not travel in a query; lists are joined by commas.
 */
export function sendingOf(endpoint: Call, input: unknown): Sending {
  const rest = recordOf(input)
  const path = (endpoint.paths[0] ?? '').replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE') {
    const query = queryText(rest)
    return { method: endpoint.method, url: query === '' ? path : `${path}?${query}` }
  }
  return { method: endpoint.method, url: path, body: JSON.stringify(rest) }
}

function recordOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? Object.fromEntries(Object.entries(input)) : {}
}

function queryText(input: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue
    query.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return query.toString()
}
