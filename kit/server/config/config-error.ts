/** A configuration that must not start; the message names the setting and what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
