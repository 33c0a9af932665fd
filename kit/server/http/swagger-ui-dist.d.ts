declare module 'swagger-ui-dist' {
  /** Folder of the built pages. */
  export function getAbsoluteFSPath(): string
}
