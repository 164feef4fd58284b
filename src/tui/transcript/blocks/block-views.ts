import type {ComponentType} from 'react';
import type {BlockKind} from '../fold/block.ts';
import {AssistantBlock} from './assistant-block.tsx';
import type {BlockProps} from './block-rows.tsx';
import {CompactionBlock} from './compaction-block.tsx';
import {FootBlock} from './foot-block.tsx';
import {NoticeBlock} from './notice-block.tsx';
import {SystemBlock} from './system-block.tsx';
import {ThinkingBlock} from './thinking-block.tsx';
import {ToolBlock} from './tool-block.tsx';
import {UserBlock} from './user-block.tsx';

/** The component of any block. */
export type BlockView = ComponentType<BlockProps>;

/** What shows a block, by its kind. */
export const blockViews: {readonly [Kind in BlockKind]: ComponentType<BlockProps<Kind>>} = {
	user: UserBlock,
	assistant: AssistantBlock,
	thinking: ThinkingBlock,
	tool: ToolBlock,
	system: SystemBlock,
	notice: NoticeBlock,
	foot: FootBlock,
	compaction: CompactionBlock,
};
