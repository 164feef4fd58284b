import {crc32} from 'node:zlib';

/** Returns one message of an AWS event stream, with its checksums. */
export function frame(name: string, value: unknown, kind: 'event' | 'exception' = 'event'): Uint8Array {
	const headers = Buffer.concat([
		header(`:${kind}-type`, name),
		header(':content-type', 'application/json'),
		header(':message-type', kind),
	]);
	const payload = Buffer.from(JSON.stringify(value));
	const prelude = Buffer.alloc(8);
	prelude.writeUInt32BE(16 + headers.length + payload.length);
	prelude.writeUInt32BE(headers.length, 4);
	const head = Buffer.concat([prelude, checksum(prelude), headers, payload]);
	return Buffer.concat([head, checksum(head)]);
}

function header(name: string, value: string): Buffer {
	const length = Buffer.alloc(2);
	length.writeUInt16BE(value.length);
	return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)]);
}

function checksum(bytes: Buffer): Buffer {
	const sum = Buffer.alloc(4);
	sum.writeUInt32BE(crc32(bytes));
	return sum;
}
