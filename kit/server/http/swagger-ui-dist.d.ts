declare module 'swagger-ui-dist/absolute-path.js' {
  /** Folder of the built pages. */
  export default function getAbsoluteFSPath(): string
}
