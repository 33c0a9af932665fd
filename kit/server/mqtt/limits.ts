/** A connection that brings no CONNECT by then is closed (chapter 31 §1.1). */
export const connect_ms = 10_000
/** A client that takes nothing of what waits for it in that time is closed. */
export const drain_ms = 10_000
/** Longest keep-alive in seconds; whoever asks for more, or for none, gets this one (chapter 31 §1.5). */
export const longest_keep_alive_s = 120
/** Refusals of topics in one minute that end a connection. */
export const most_refusals = 3
/** Connections of one address that have not said who they are. */
export const most_unknown = 20
