import sharp from 'sharp'
const [out, ...files] = process.argv.slice(2)
const w = 900, h = 506
const cols = 2, rows = Math.ceil(files.length / cols)
await sharp({ create: { width: w * cols, height: h * rows, channels: 3, background: '#fff' } }).composite(await Promise.all(files.map(async (f, i) => ({ input: await sharp(`/tmp/w2/ch30-shots/${f}.png`).resize(w, h).toBuffer(), left: (i % cols) * w, top: Math.floor(i / cols) * h })))).png().toFile(`/tmp/w2/ch30-shots/${out}.png`)
