import { boardApi, boardChannel, command_states } from '@campus/devices/contract'
import type { DeviceCommand } from '@campus/devices/contract'
import { call, sentenceOf, toast, useChannel } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { settled } from '../use-command.ts'

/** A board, asked for again whenever it says something. */
export function useBoard(device_id: string) {
  const client = useQueryClient()
  const again = () => void Promise.all([boardApi.detail.call, boardApi.content_rows.call].map(name => client.invalidateQueries({ queryKey: [name, device_id] })))
  useChannel(boardChannel, again, { of: device_id, onGap: again })
  return useQuery({ queryKey: [boardApi.detail.call, device_id], queryFn: async ({ signal }) => (await call(boardApi.detail, { id: device_id }, { signal, quiet: true })).board })
}

/** Tells a board to do something and says what became of it. */
export async function tellBoard(what: string, send: () => Promise<{ command: DeviceCommand }>): Promise<void> {
  try {
    const { state, reply_text } = await settled((await send()).command)
    if (state === 'SUCCESSFUL') toast.success(`${what}：${command_states[state]}`)
    else toast.warning(`${what}：${reply_text ?? command_states[state]}`)
  } catch (cause) {
    toast.error(sentenceOf(cause))
  }
}
