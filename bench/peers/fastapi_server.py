"""A server on FastAPI and uvicorn that stores nothing: fastapi_server.py PORT"""
import json
import sys

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

SIDE = 10
app = FastAPI()
rooms = {}


def play(game, seat, x, y):
    if seat != game["turn"] or not (0 <= x < SIDE and 0 <= y < SIDE):
        return None
    game["board"][y * SIDE + x] = seat + 1
    game["turn"] = 1 - seat
    game["seq"] += 1
    return {"type": "update", "seq": game["seq"], "by": seat, "position": {"x": x, "y": y},
            "changes": {"turn": game["turn"], "moves": game["seq"], "last": f"{x},{y}", "status": "active", "paused": False}}


@app.on_event("startup")
async def started():
    print("ready", flush=True)


@app.websocket("/ws/{room_id}")
async def room(socket: WebSocket, room_id: str):
    await socket.accept()
    game, seats = rooms.setdefault(room_id, ({"seq": 0, "turn": 0, "board": [0] * SIDE * SIDE}, []))
    seats.append(socket)
    seat = len(seats) - 1
    try:
        while True:
            position = json.loads(await socket.receive_text())["position"]
            update = play(game, seat, position["x"], position["y"])
            text = json.dumps(update or {"type": "error"}, separators=(",", ":"))
            for other in seats if update else [socket]:
                await other.send_text(text)
    except WebSocketDisconnect:
        rooms.pop(room_id, None)


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", ws_per_message_deflate=False)
