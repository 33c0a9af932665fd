import { cameraApi, CameraView } from '@campus/devices/contract'
import { daysFilter, fields, Filters, instantText, ListPage, secondText, Table, textFilter, useResourceList } from '@kit/web'
import type { ReactNode } from 'react'

const minute_s = 60
const view_fields = fields(CameraView, 'view_id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '摄像机或观看人') },
  days: { label: '日期', filter: daysFilter('from', 'to') },
  begin_at: { label: '开始', width: 168, cell: row => `${instantText(row.begin_at)}${secondText(row.begin_at).slice(-3)}` },
  user_name: { label: '观看人', width: 120, cell: row => row.user_name ?? '已注销人员' },
  device_name: { label: '摄像机', width: 200 },
  node_path_name: { label: '场所', width: 260 },
  seconds: { label: '时长', width: 96, cell: row => (row.seconds < minute_s ? `${row.seconds}秒` : `${Math.floor(row.seconds / minute_s)}分${row.seconds % minute_s}秒`) },
  kind: { label: '方式', width: 88, cell: row => (row.kind === 'hls' ? '实时视频' : '画面') },
})

/** Who has watched which camera, and for how long. */
export function ViewList(): ReactNode {
  const list = useResourceList(cameraApi.views, view_fields)
  return (
    <ListPage of={list} filters={<Filters of={list} show={['keyword', 'days']} />}>
      <Table of={list} show={['begin_at', 'user_name', 'device_name', 'node_path_name', 'seconds', 'kind']} empty="这段时间没有人看过监控画面" />
    </ListPage>
  )
}
