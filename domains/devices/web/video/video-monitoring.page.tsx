import { cameraApi } from '@campus/devices/contract'
import { Can, Loading, PageTabs, useCan, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import { Button, Empty } from 'antd'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { useDeviceStates } from '../use-devices.ts'
import { CameraImport } from './camera-import.tsx'
import { CameraSide } from './camera-side.tsx'
import { camerasOf } from './camera-tree.ts'
import { useCameras } from './use-cameras.ts'
import { Wall } from './wall.tsx'
import type { WallSize } from './wall.tsx'
import '../devices.css'
import './video.css'

const CameraList = lazy(() => import('./camera-list.tsx').then(part => ({ default: part.CameraList })))
const ViewList = lazy(() => import('./view-list.tsx').then(part => ({ default: part.ViewList })))
const sizes: Readonly<Record<string, WallSize>> = { '1': 1, '4': 4, '9': 9, '16': 16 }
const [wall, cameras, views] = [{ key: 'wall', label: '画面墙' }, { key: 'cameras', label: '摄像机' }, { key: 'views', label: '观看记录' }] as const

/** 视频监控: what the cameras see now, the cameras themselves, and who has looked. */
export default function VideoMonitoring(): ReactNode {
  const { search, setSearch } = usePage()
  const may_watch = useCan(cameraApi.live)
  const may_audit = useCan(cameraApi.views)
  const tabs = [...(may_watch ? [wall] : []), cameras, ...(may_audit ? [views] : [])]
  const tab = tabs.find(one => one.key === search['tab'])?.key ?? tabs[0]?.key ?? 'cameras'
  return (
    <div className="video-page" data-ready={tab === 'wall' ? undefined : 'video'}>
      <PageTabs tabs={tabs} value={tab} onChange={next => setSearch({ tab: next })} />
      {tab === 'wall' && <Watching size={sizes[search['size'] ?? ''] ?? 4} node={search['node']} change={next => setSearch({ ...search, ...next })} />}
      <Suspense fallback={<Loading rows={8} />}>
        {tab === 'cameras' && <CameraList />}
        {tab === 'views' && <ViewList />}
      </Suspense>
    </div>
  )
}

function Watching({ size, node, change }: { size: WallSize; node: string | undefined; change: (next: { size?: string; node?: string; tab?: string }) => void }): ReactNode {
  const query = useCameras()
  useDeviceStates()
  if (!query.data) return <PartState query={query} rows={8} />
  if (query.data.length === 0) return <Empty description="还没有摄像机，请在“摄像机”页登记，或导入摄像机清单"><Can code={cameraApi.create}><Button type="primary" onClick={() => change({ tab: 'cameras' })}>登记摄像机</Button></Can> <CameraImport /></Empty>
  return (
    <div className="video-main" data-ready="video">
      <CameraSide cameras={query.data} chosen={node} choose={key => change({ node: key ?? '' })} />
      <Wall key={node ?? ''} cameras={camerasOf(query.data, node === '' ? undefined : node)} size={size} choose={next => change({ size: String(next) })} />
    </div>
  )
}
