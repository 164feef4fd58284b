import {z} from 'zod';
import type {Settings} from '../history/item.ts';

/** The settings that are sent to a provider. Unknown keys and invalid values are ignored. */
export type KnownSettings = z.infer<typeof settingsSchema>;

const settingsSchema = z.object({
	/** The reasoning effort. A provider that lacks this level uses the nearest lower level. */
	reasoning: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional().catch(undefined),
	/** OpenAI only: requests a summary of the reasoning. Some accounts cannot get such a summary. */
	reasoningSummary: z.enum(['auto', 'concise', 'detailed']).optional().catch(undefined),
	/** OpenAI only: requests with the same key are sent to the server that has cached their common prefix. */
	cacheKey: z.string().min(1).max(64).optional().catch(undefined),
	/** Anthropic only: how long the system prompt and the tools are cached. The default is five minutes. */
	cacheTime: z.literal('1h').optional().catch(undefined),
	maxOutputTokens: z.number().int().positive().optional().catch(undefined),
	temperature: z.number().optional().catch(undefined),
	topP: z.number().optional().catch(undefined),
	/** The provider ends an answer before the first of these texts. */
	stop: z.array(z.string()).optional().catch(undefined),
	/** Merges consecutive user messages into one message, for servers that require this. */
	mergeUser: z.boolean().optional().catch(undefined),
	/**
	Gemini only: sends a user message after tool results as part of the same turn. Absent in sessions of earlier
	versions, which send two turns.
	*/
	mergeResults: z.boolean().optional().catch(undefined),
});

export function knownSettings(settings: Settings): KnownSettings {
	return settingsSchema.parse(settings);
}
