import { cameraApi } from '@campus/devices/contract'
import type { Camera } from '@campus/devices/contract'
import { call, Can, confirmDanger, Filters, ListPage, sentenceOf, Table, toast, useCan, useResourceList } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { usePlaceChoices } from '../use-places.ts'
import { cameraFields } from './camera.fields.tsx'
import { CameraImport } from './camera-import.tsx'
import { useCamerasChanged } from './use-cameras.ts'

const CameraDialog = lazy(() => import('./camera-dialog.tsx').then(part => ({ default: part.CameraDialog })))
const BindDialog = lazy(() => import('./bind-dialog.tsx').then(part => ({ default: part.BindDialog })))
const ROW_WIDTH = 200
type Opened = { view: 'edit'; camera: Camera | null } | { view: 'bind'; camera: Camera } | null

/** The cameras: where they stand, on which channel, and what they watch. */
export function CameraList(): ReactNode {
  const places = usePlaceChoices()
  const [opened, open] = useState<Opened>(null)
  const may_edit = useCan(cameraApi.update)
  const changed = useCamerasChanged()
  const list = useResourceList(cameraApi.list, useMemo(() => cameraFields(places), [places]))
  const row = (camera: Camera) => may_edit && <Acts camera={camera} open={open} done={changed} />
  return (
    <ListPage
      of={list}
      filters={<Filters of={list} show={['keyword', 'place_id', 'device_state', 'bound']} />}
      actions={<><CameraImport /><Can code={cameraApi.create}><Button type="primary" onClick={() => open({ view: 'edit', camera: null })}>新增摄像机</Button></Can></>}
    >
      <Table of={list} show={['device_name', 'node_path_name', 'nvr_name', 'channel', 'device_state', 'bindings']} more={['device_sn', 'has_stream', 'snapshot_at', 'note']} row={row} row_width={ROW_WIDTH} empty="没有符合条件的摄像机，可以换个条件，或点击新增摄像机" />
      <Suspense>
        {opened?.view === 'edit' && <CameraDialog camera={opened.camera} onClose={() => open(null)} onDone={changed} />}
        {opened?.view === 'bind' && <BindDialog camera={opened.camera} onClose={() => open(null)} onDone={changed} />}
      </Suspense>
    </ListPage>
  )
}

function Acts({ camera, open, done }: { camera: Camera; open: (next: Opened) => void; done: () => Promise<void> }): ReactNode {
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work()
      await done()
    } catch (error) {
      toast.error(sentenceOf(error))
    }
  }
  const test = () => act(async () => {
    const { ok, text } = await call(cameraApi.test, { camera_id: camera.device_id }, { quiet: true })
    if (ok) toast.success(text)
    else toast.error(text)
  })
  const remove = async () => {
    if (await confirmDanger({ title: `删除摄像机“${camera.device_name}”？它的绑定同时解除，观看记录保留。`, ok: '删除' })) await act(async () => {
      await call(cameraApi.remove, { id: camera.device_id, row_version: camera.row_version }, { quiet: true })
      toast.success('删除成功!')
    })
  }
  return (
    <>
      <Button type="link" size="small" onClick={() => open({ view: 'edit', camera })}>编辑</Button>
      <Button type="link" size="small" onClick={() => open({ view: 'bind', camera })}>绑定</Button>
      <Button type="link" size="small" onClick={() => void test()}>测试</Button>
      <Button type="link" size="small" danger onClick={() => void remove()}>删除</Button>
    </>
  )
}
