/** What stands in a heap knows its place there; -1 when it stands in none. */
export interface HeapNode {
  place: number;
}

/** The smallest rank on top. A node whose rank has changed is moved in logarithmic time. */
export class IndexedHeap<Node extends HeapNode> {
  readonly #nodes: Node[] = [];
  /** Of the node in the same place: among thousands, to ask the nodes themselves is most of the work of moving one. */
  readonly #ranks: number[] = [];
  readonly #rankOf: (node: Node) => number;
  readonly #isBefore: (a: Node, b: Node) => boolean;

  /** `isBefore` decides between those of the same rank. */
  constructor(rankOf: (node: Node) => number, isBefore: (a: Node, b: Node) => boolean = () => false) {
    this.#rankOf = rankOf;
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#nodes.length;
  }

  get top(): Node | undefined {
    return this.#nodes[0];
  }

  /** The top at 0; those in the next places come soon after it, in no order. */
  at(place: number): Node | undefined {
    return this.#nodes[place];
  }

  rankAt(place: number): number {
    return this.#ranks[place] ?? Infinity;
  }

  add(node: Node): void {
    if (node.place >= 0) return;
    const place = this.#nodes.length;
    this.#put(node, this.#rankOf(node), place);
    this.#rise(place);
  }

  remove(node: Node): void {
    const { place } = node;
    if (place < 0) return;
    const last = this.#nodes.pop();
    const rank = this.#ranks.pop();
    node.place = -1;
    if (last === undefined || rank === undefined || last === node) return;
    this.#put(last, rank, place);
    this.#sink(this.#rise(place));
  }

  /** To be called after a node's rank has changed. */
  moved(node: Node): void {
    if (node.place < 0) return;
    this.#ranks[node.place] = this.#rankOf(node);
    this.#sink(this.#rise(node.place));
  }

  #rise(from: number): number {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isAhead(place, parent)) return place;
      this.#swap(place, parent);
      place = parent;
    }
    return place;
  }

  #sink(from: number): void {
    for (let place = from; ;) {
      const left = 2 * place + 1;
      if (left >= this.#nodes.length) return;
      const right = left + 1;
      const child = right < this.#nodes.length && this.#isAhead(right, left) ? right : left;
      if (!this.#isAhead(child, place)) return;
      this.#swap(child, place);
      place = child;
    }
  }

  #isAhead(place: number, other: number): boolean {
    const [rank = 0, otherRank = 0] = [this.#ranks[place], this.#ranks[other]];
    if (rank !== otherRank) return rank < otherRank;
    const [node, otherNode] = [this.#nodes[place], this.#nodes[other]];
    return node !== undefined && otherNode !== undefined && this.#isBefore(node, otherNode);
  }

  #swap(place: number, other: number): void {
    const [node, otherNode] = [this.#nodes[place], this.#nodes[other]];
    const [rank, otherRank] = [this.#ranks[place], this.#ranks[other]];
    if (node === undefined || otherNode === undefined || rank === undefined || otherRank === undefined)
      return;
    this.#put(node, rank, other);
    this.#put(otherNode, otherRank, place);
  }

  #put(node: Node, rank: number, place: number): void {
    this.#nodes[place] = node;
    this.#ranks[place] = rank;
    node.place = place;
  }
}
