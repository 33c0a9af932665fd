const mebi = 1024 * 1024

/** Largest JSON body in bytes; uploads have the limit of their call. */
export const json_body_bytes = mebi
/** All headers of a request together, in bytes (answered 431). */
export const header_bytes = 16 * 1024
/** Header lines of a request (answered 431). */
export const header_lines = 100
/** Address with query, in characters (answered 414). */
export const url_length = 8000
/** One path parameter, in characters. */
export const param_length = 200

/** From the connection, or the last answer on it, to the end of the headers. */
export const headers_ms = 10_000
/** How often the server looks for connections over their time. */
export const look_ms = 1000
/** A JSON body is there by then, however slowly it trickles. */
export const json_body_ms = 15_000
/** An upload brings at least `upload_pace_bytes` in every such stretch of time. */
export const upload_pace_ms = 10_000
export const upload_pace_bytes = 10 * 1024
/** Any request as a whole, the largest upload over a poor line included. */
export const request_ms = 300_000
/** How long an answered request may go on sending the body that nobody wants. */
export const lingering_ms = 15_000
/** Something of an answer that waits to be read is taken in every such stretch of time. */
export const unread_ms = 7000
/** How long the last words to a connection that is being ended may wait to be read. */
export const farewell_ms = 3000
/** How long an idle connection is kept for the next request. */
export const keep_alive_ms = 15_000

/** After a stop was asked for: how long new connections are still taken, so that those already on their way find the door open. */
export const last_connections_ms = 500
/** After that: the listener closes when no connection came for so long, since every balancer has then noticed; and after `noticed_ms` in any case. */
export const quiet_ms = 300
export const noticed_ms = 2000
/** After the listener closed: how long idle connections may still bring a request that was already on its way. */
export const last_requests_ms = 2000
/** After a stop was asked for: how long running requests may take. */
export const drain_ms = 15_000
