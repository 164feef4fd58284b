import type {ContentBlock} from '@agentclientprotocol/sdk';

export const maxBlocks = 100;
export const maxPromptBytes = 10_000_000;

/** Returns the size of a prompt: its texts in UTF-8, and its data as it was sent. */
export function promptBytes(blocks: readonly ContentBlock[]): number {
	return blocks.reduce((sum, block) => sum + blockBytes(block), 0);
}

function blockBytes(block: ContentBlock): number {
	if (block.type === 'text') return Buffer.byteLength(block.text);
	if (block.type === 'image' || block.type === 'audio') return block.data.length;
	if (block.type === 'resource_link') return Buffer.byteLength(block.uri) + Buffer.byteLength(block.name);
	const {resource} = block;
	return (
		Buffer.byteLength(resource.uri) + ('blob' in resource ? resource.blob.length : Buffer.byteLength(resource.text))
	);
}
