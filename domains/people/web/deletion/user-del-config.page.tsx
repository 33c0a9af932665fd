import { userDeleteApi } from '@campus/people/contract'
import type { DeleteSettings } from '@campus/people/contract'
import { call, Loading } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { ConfigForm } from './config-form.tsx'
import { failedText, withLimit } from './limit.ts'
import './deletion.css'

/** 人员删除设置: what the school wants, as sentences, with what it would mean today. */
export default function UserDelConfig(): ReactNode {
  const query = useQuery<DeleteSettings>({
    queryKey: [userDeleteApi.config.call],
    queryFn: ({ signal }) => call(userDeleteApi.config, {}, { signal: withLimit(signal), quiet: true }),
    gcTime: 0,
    retry: false,
  })
  const { data } = query
  return (
    <div data-ready={data ? 'form' : query.error ? 'failed' : undefined} className="delete-frame">
      {!data && (query.error ? <LoadFailed text={failedText(query.error)} again={() => void query.refetch()} /> : <Loading rows={8} />)}
      {data && <ConfigForm key={data.row_version} settings={data} saved={() => query.refetch()} />}
    </div>
  )
}
