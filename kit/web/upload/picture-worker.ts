import { drawOffscreen } from './draw-picture.ts'

// One picture, one answer: the picture as it is sent, or null when it cannot be read.
self.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const drawn = data instanceof Blob ? drawOffscreen(data) : Promise.reject(new Error('no picture'))
  drawn.then(blob => self.postMessage(blob), () => self.postMessage(null))
})
