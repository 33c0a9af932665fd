/** Drawn here, since nothing is fetched from elsewhere; one colour, the shape tells them apart. */
const paths: Readonly<Record<string, string>> = {
  wecom: 'M9.5 4C5.4 4 2 6.8 2 10.3c0 1.9 1 3.6 2.6 4.8L4 17.6l2.8-1.4c.9.2 1.8.4 2.7.4 4.1 0 7.5-2.8 7.5-6.3S13.6 4 9.5 4Zm8.9 8.2c-.4 3.2-3.3 5.8-7 6.4 1.1.8 2.5 1.2 4 1.2.7 0 1.4-.1 2.1-.3l2.2 1.1-.5-1.9c1.3-1 2.1-2.4 2.1-3.9 0-1-.3-1.9-.9-2.6h-2Z',
  weixiao: 'M12 3 2 8l10 5 8-4v6h2V8L12 3Zm-6 9.2V16c0 1.7 2.7 3 6 3s6-1.3 6-3v-3.8l-6 3-6-3Z',
  oidc: 'M12 2 4 5v6c0 5 3.4 9.7 8 11 4.6-1.3 8-6 8-11V5l-8-3Zm-1.2 14.2-3.5-3.5 1.4-1.4 2.1 2.1 4.5-4.5 1.4 1.4-5.9 5.9Z',
  key: 'M14.5 2A7.5 7.5 0 0 0 7.4 12L2 17.4V22h4.6v-2.5h2.5V17h2.5l.9-.9A7.5 7.5 0 1 0 14.5 2Zm2 7.5a2 2 0 1 1 0-4 2 2 0 0 1 0 4Z',
  test: 'M9 2v2h1v5.3L4.3 18.8A2 2 0 0 0 6 22h12a2 2 0 0 0 1.7-3.2L14 9.3V4h1V2H9Zm3 8 2.4 4H9.6L12 10Z',
}

/** The mark of a way to sign in; its name stands beside it. */
export function ProviderIcon({ icon }: { icon: string }) {
  return <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path fill="currentColor" d={paths[icon] ?? paths.oidc} /></svg>
}
