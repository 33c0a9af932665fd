import type { Camera } from '@campus/devices/contract'
import { expect, test } from 'vitest'
import { camerasOf, cameraTree, matchingNodes } from './camera-tree.ts'

const camera = (device_id: string, node_path_name: string | null, device_state: Camera['device_state'] = '1'): Camera => ({
  device_id, device_sn: device_id, device_name: `摄像机${device_id}`, model_code: 'IPC-4M', lifecycle: 'active', device_state, online_since: null, last_seen_at: null, fault_code: null, note: null, place_id: null, place_name: null,
  node_path_name, row_version: 1, nvr_device_id: null, nvr_name: null, channel: null, has_stream: false, codec: null, ptz: false, snapshot_at: null, bindings: [],
})
const cameras = [camera('1', '启明/南门'), camera('2', '启明/南门', '0'), camera('3', '启明/南门广场'), camera('4', null)]

test('cameras stand below their places, which count those that are here; a place of a longer name is another one', () => {
  const [school, nowhere] = cameraTree(cameras)
  expect([school?.title, school?.online, school?.total, school?.children.map(one => [one.title, one.online, one.total])]).toEqual(['启明', 2, 3, [['南门', 1, 2], ['南门广场', 1, 1]]])
  expect([nowhere?.title, nowhere?.total]).toEqual(['未绑定场所', 1])
  expect(camerasOf(cameras, 'p:启明/南门').map(one => one.device_id)).toEqual(['1', '2'])
  expect([camerasOf(cameras, 'c:3').length, camerasOf(cameras, undefined).length]).toEqual([1, 4])
})

test('a search keeps the way down to what it finds, and all below a place that it finds', () => {
  const tree = cameraTree(cameras)
  expect(matchingNodes(tree, '摄像机3').map(one => [one.title, one.children.map(child => child.title)])).toEqual([['启明', ['南门广场']]])
  expect(matchingNodes(tree, '南门')[0]?.children.map(one => one.children.length)).toEqual([2, 1])
})
