import { holdsName } from '@kit/contract/checks'
import type { Camera } from '@campus/devices/contract'

/** A place with the cameras in and below it; or one camera, a leaf. */
export type CameraNode = { key: string; title: string; online: number; total: number; camera: Camera | null; children: CameraNode[] }

const nowhere = '未绑定场所'
const on = '1'

/** Cameras below their places, from the words of their paths: places without a camera do not stand here. */
export function cameraTree(cameras: readonly Camera[]): CameraNode[] {
  const roots: CameraNode[] = []
  for (const camera of cameras) {
    const parts = (camera.node_path_name ?? nowhere).split('/')
    let level = roots
    parts.forEach((title, depth) => {
      const key = `p:${parts.slice(0, depth + 1).join('/')}`
      const node = level.find(one => one.key === key) ?? added(level, { key, title, online: 0, total: 0, camera: null, children: [] })
      node.total += 1
      node.online += camera.device_state === on ? 1 : 0
      level = node.children
    })
    level.push({ key: `c:${camera.device_id}`, title: camera.device_name, online: camera.device_state === on ? 1 : 0, total: 1, camera, children: [] })
  }
  return roots
}

function added(level: CameraNode[], node: CameraNode): CameraNode {
  level.push(node)
  return node
}

/** The cameras of a chosen node: one, or all in and below a place; all without a choice. */
export function camerasOf(cameras: readonly Camera[], key: string | undefined): Camera[] {
  if (key === undefined) return [...cameras]
  const of = key.slice(2)
  if (key.startsWith('c:')) return cameras.filter(camera => camera.device_id === of)
  return cameras.filter(camera => {
    const path = camera.node_path_name ?? nowhere
    return path === of || path.startsWith(`${of}/`)
  })
}

/** Nodes whose name holds the text, with the ways down to them. */
export function matchingNodes(nodes: readonly CameraNode[], text: string): CameraNode[] {
  if (text === '') return [...nodes]
  return nodes.flatMap(node => {
    if (holdsName(node.title, text)) return [node]
    const children = matchingNodes(node.children, text)
    return children.length === 0 ? [] : [{ ...node, children }]
  })
}
