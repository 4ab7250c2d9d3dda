/** No server of the DNS gave an answer, so nothing is known. */
export class DnsUnavailable extends Error {}
