import { usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { LogInput } from './use-log-list.ts'

const look_ms = 30_000
const most = 100

type Props = { name: string; input: LogInput; since: string | null; read: (input: LogInput & { since: string }, signal: AbortSignal) => Promise<{ n: number }>; show: () => void }

/** Says that rows came in while the page was read; the page itself never moves by itself. */
export function NewRows({ name, input, since, read, show }: Props): ReactNode {
  const { active } = usePage()
  const { data } = useQuery({
    queryKey: [name, input, since],
    queryFn: ({ signal }) => read({ ...input, since: since ?? '' }, signal),
    enabled: active && since !== null,
    refetchInterval: look_ms,
    staleTime: look_ms,
  })
  const n = data?.n ?? 0
  return <span aria-live="polite">{n > 0 && <Button type="link" onClick={show}>{n >= most ? '99+' : n} 条新记录，点击查看</Button>}</span>
}
