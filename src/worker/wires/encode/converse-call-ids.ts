/**
Returns a call id of nine letters and digits: the id itself if it has that form, or its hash. The hash function is that
of `@ai-sdk/amazon-bedrock` 5.0.101 (src/normalize-tool-call-id.ts): FNV-1a with 64 bits over the UTF-16 units, in base
62.
*/
export function shortCallId(callId: string): string {
	if (/^[a-zA-Z0-9]{9}$/.test(callId)) return callId;
	let hash = offsetBasis;
	for (let at = 0; at < callId.length; at++)
		hash = BigInt.asUintN(64, (hash ^ BigInt(callId.charCodeAt(at))) * prime);
	let rest = hash % digits ** BigInt(length);
	let id = '';
	for (let at = 0; at < length; at++) {
		id = alphabet.charAt(Number(rest % digits)) + id;
		rest /= digits;
	}
	return id;
}

const length = 9;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const digits = BigInt(alphabet.length);
/** The constants of FNV-1a (datatracker.ietf.org/doc/html/rfc9923). */
const offsetBasis = 14_695_981_039_346_656_037n;
const prime = 1_099_511_628_211n;
