import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import type { DetectAnswer, DetectJob, Measures } from './measures.ts'

type Point = readonly [number, number, number?]
type Seen = { score: number; box: readonly [number, number, number, number]; embedding?: readonly number[]; rotation?: { angle: { yaw: number; pitch: number; roll: number } } | null; annotations?: Readonly<Record<string, readonly Point[]>> }
type Engine = { load(): Promise<void>; detect(tensor: unknown): Promise<{ error: string | null; face: readonly Seen[] }>; tf: { tensor(data: Uint8Array, shape: readonly number[], kind: string): { dispose(): void } } }
type Picture = { data: Buffer; info: { width: number; height: number } }

/** A face narrower than this part of the widest one is somebody in the background (chapter 40 rule 26). */
const counted_part = 0.35
const crop_px = 112
const degrees = 180 / Math.PI
const model = 'human-3.3.6'
const ask = createRequire(import.meta.url)
// The package names its folders in no subpath that can be asked for.
const folder = dirname(dirname(ask.resolve('@vladmandic/human')))
const wasm_folder = `${join(dirname(dirname(ask.resolve('@tensorflow/tfjs-backend-wasm'))), 'wasm-out')}/`

const off = { enabled: false }
const config = {
  backend: 'wasm', wasmPath: wasm_folder, modelBasePath: 'http://models/', debug: false, cacheSensitivity: 0, warmup: 'none',
  filter: off, gesture: off, body: off, hand: off, object: off, segmentation: off,
  face: {
    enabled: true, detector: { maxDetected: 6, rotation: false, minConfidence: 0.2, skipFrames: 0, skipTime: 0 }, mesh: { enabled: true }, description: { enabled: true, skipFrames: 0, skipTime: 0 },
    iris: off, emotion: off, antispoof: off, liveness: off, attention: off,
  },
}

/** The models come from the package alone, whatever address is asked for. */
globalThis.fetch = async asked => {
  const name = basename(new URL(String(asked)).pathname)
  const type = name.endsWith('.json') ? 'application/json' : 'application/octet-stream'
  return new Response(new Uint8Array(await readFile(join(folder, 'models', name))), { headers: { 'content-type': type } })
}

async function open(): Promise<Engine> {
  const { setWasmPaths }: { setWasmPaths(folder: string): void } = ask('@tensorflow/tfjs-backend-wasm')
  setWasmPaths(wasm_folder)
  const { Human }: { Human: new (config: object) => Engine } = ask(join(folder, 'dist', 'human.node-wasm.js'))
  const engine = new Human(config)
  await engine.load()
  return engine
}

async function measure(engine: Engine, jpeg: Uint8Array): Promise<Measures> {
  const picture = await sharp(jpeg).rotate().removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const { width, height } = picture.info
  const tensor = engine.tf.tensor(new Uint8Array(picture.data), [1, height, width, 3], 'float32')
  const { error, face } = await engine.detect(tensor).finally(() => tensor.dispose())
  if (error) throw new Error(error)
  const [widest, ...others] = face.toSorted((one, other) => other.box[2] - one.box[2])
  if (!widest) return { width, height, face_count: 0, score: 0, box: [], eye_px: 0, yaw: 0, pitch: 0, roll: 0, sharpness: 0, brightness: 0, vector: null, model }
  const { yaw = 0, pitch = 0, roll = 0 } = widest.rotation?.angle ?? {}
  return {
    width, height, model,
    face_count: 1 + others.filter(one => one.box[2] >= widest.box[2] * counted_part).length,
    score: widest.score, box: widest.box.map(Math.round), eye_px: eyeDistance(widest),
    yaw: yaw * degrees, pitch: pitch * degrees, roll: roll * degrees,
    ...(await light(picture, widest.box)),
    vector: widest.embedding ?? null,
  }
}

function eyeDistance({ annotations = {} }: Seen): number {
  const [left, right] = [middle(annotations['leftEyeLower0']), middle(annotations['rightEyeLower0'])]
  return left && right ? Math.round(Math.hypot(left[0] - right[0], left[1] - right[1])) : 0
}

function middle(points: readonly Point[] = []): Point | null {
  if (points.length === 0) return null
  return [points.reduce((sum, [x]) => sum + x, 0) / points.length, points.reduce((sum, [, y]) => sum + y, 0) / points.length]
}

async function light({ data, info: { width, height } }: Picture, box: Seen['box']): Promise<{ sharpness: number; brightness: number }> {
  const [left, top] = [Math.max(0, Math.round(box[0])), Math.max(0, Math.round(box[1]))]
  const part = { left, top, width: Math.max(1, Math.min(width - left, Math.round(box[2]))), height: Math.max(1, Math.min(height - top, Math.round(box[3]))) }
  const grey = await sharp(data, { raw: { width, height, channels: 3 } }).extract(part).resize(crop_px, crop_px, { fit: 'fill' }).greyscale().raw().toBuffer()
  const at = (x: number, y: number) => grey[y * crop_px + x] ?? 0
  const edges: number[] = []
  for (let y = 1; y < crop_px - 1; y += 1) for (let x = 1; x < crop_px - 1; x += 1) edges.push(at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y))
  const mean = edges.reduce((sum, edge) => sum + edge, 0) / edges.length
  return {
    sharpness: edges.reduce((sum, edge) => sum + (edge - mean) ** 2, 0) / edges.length,
    brightness: grey.reduce((sum, pixel) => sum + pixel, 0) / grey.length,
  }
}

function say(answer: DetectAnswer): void {
  parentPort?.postMessage(answer)
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const opened = open()
opened.then(() => say({ id: 0, ready: true }), (error: unknown) => say({ id: 0, failed: textOf(error) }))
parentPort?.on('message', ({ id, jpeg }: DetectJob) => {
  opened.then(engine => measure(engine, jpeg)).then(measures => say({ id, measures }), (error: unknown) => say({ id, error: textOf(error) }))
})
