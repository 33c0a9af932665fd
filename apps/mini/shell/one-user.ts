/** Who uses this browser now; another page with another person locks itself (chapter 80 M8). */
type Hello = { user_id: string; user_name: string; school_id: number; app: string }

/**
 * Tells the other pages of this browser who has come, and calls `onOther` with a name when somebody else comes after. Answers the end of it.
 * Browsers without channels show each page as it is.
 */
export function watchOthers(mine: Hello, onOther: (user_name: string) => void): () => void {
  if (typeof BroadcastChannel !== 'function') return () => {}
  const channel = new BroadcastChannel('mini')
  channel.addEventListener('message', ({ data }: MessageEvent<Hello>) => {
    if (data.user_id !== mine.user_id) onOther(data.user_name)
  })
  channel.postMessage(mine)
  return () => channel.close()
}
